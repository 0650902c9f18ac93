import { expect, test, vi } from 'vitest'
import { browser } from '../lib/browser.ts'
import { kept } from '../lib/tab-state.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { endSession } from './session-end.ts'
import { getAuth, setAuth } from './stored-auth.ts'

test('SESSION-17 RT-06 without signal to load the wipe, a session still ends at /login', async () => {
  vi.doMock('./persisted-reads.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  setAuth(storedAuth())
  kept.set('/evacuee/safety search', 'Ada')

  await endSession()

  expect(load.mock.calls).toEqual([['/login']])
  expect(getAuth()).toBeNull()
  expect(kept.get('/evacuee/safety search'), 'UX-20: the next one on this phone finds nothing').toBeUndefined()
})
