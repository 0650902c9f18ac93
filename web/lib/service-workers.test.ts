import { expect, test, vi } from 'vitest'
import { unregisterServiceWorkers } from './service-workers.ts'

test('SESSION-23 a registered service worker is unregistered', async () => {
  const workers = [{ unregister: vi.fn() }, { unregister: vi.fn() }]
  vi.spyOn(navigator.serviceWorker, 'getRegistrations').mockResolvedValue(workers as never)

  await unregisterServiceWorkers()

  expect(workers.map(({ unregister }) => unregister.mock.calls.length)).toEqual([1, 1])
})
