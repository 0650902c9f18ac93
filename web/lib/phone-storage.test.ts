import { expect, test, vi } from 'vitest'
import { clearAuth, getAuth, setAuth, updateAuth } from '../session/stored-auth.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { chooseTheme, themeStore } from './look/theme.ts'
import { phoneStorage } from './phone-storage.ts'
import { unsavedStore } from './unsaved.ts'

const refuse = (name: string) => () => {
  throw new DOMException('refused', name)
}
const noRoom = () => vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse('QuotaExceededError'))
/** With blocked site data, reading `localStorage` itself throws. */
const blocked = () => vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse('SecurityError'))

test.for([
  ['has no room', noRoom],
  ['blocks site data', blocked],
] as const)('F31 on a phone that %s a session lasts as long as the page', ([, breakPhone]) => {
  breakPhone()

  setAuth(storedAuth({ on_duty: false }))
  updateAuth({ on_duty: true })
  expect([getAuth()?.on_duty, unsavedStore.get()]).toEqual([true, true])

  clearAuth()
  expect([getAuth(), unsavedStore.get()]).toEqual([null, false])
})

test('F31 if a new session cannot be stored, the previous one does not return after a reload', () => {
  setAuth(storedAuth({ access_token: 'Bearer of-another' }))
  noRoom()

  setAuth(storedAuth({ access_token: 'Bearer mine' }))

  expect([getAuth()?.access_token, localStorage.getItem('auth')]).toEqual(['Bearer mine', null])
  clearAuth()
})

test('F31 a session is stored once there is room again', () => {
  const broken = noRoom()
  setAuth(storedAuth())
  broken.mockRestore()

  updateAuth({ on_duty: true })

  expect([phoneStorage.isSaved('auth'), unsavedStore.get()]).toEqual([true, false])
})

test('F31 a theme can be chosen on a phone that stores nothing', () => {
  blocked()
  chooseTheme('dark')
  expect([themeStore.get(), document.documentElement.dataset.theme]).toEqual(['dark', 'dark'])
  chooseTheme('system')
})
