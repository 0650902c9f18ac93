import { expect, test, vi } from 'vitest'
import { unregisterServiceWorkers } from './service-workers.ts'

test('SESSION-23 LADDER-20 registered service workers are unregistered, but for the one of alerts', async () => {
  const at = (path: string) => ({ scope: new URL(path, location.href).href, unregister: vi.fn() })
  const workers = [at('/'), at('/push/'), at('/push/other/'), at('/app/')]
  vi.spyOn(navigator.serviceWorker, 'getRegistrations').mockResolvedValue(workers as never)

  await unregisterServiceWorkers()

  expect(workers.map(({ unregister }) => unregister.mock.calls.length)).toEqual([1, 0, 1, 1])
})
