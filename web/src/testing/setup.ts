import '../theme.css'
import { afterEach, beforeEach, expect } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { connectionStore } from '../lib/connection-state.ts'
import { blockingStore, conclusionStore } from '../lib/event-notices.ts'
import { menuOpenStore } from '../lib/menu-state.ts'
import { leavingStore } from '../lib/session-end.ts'
import { setBackCountStore } from '../lib/set-back-count.ts'
import { chooseTheme } from '../lib/theme.ts'
import { forgetUnread } from '../lib/unread.ts'
import { waitingCountStore } from '../lib/waiting-count.ts'
import { guardConsole, takeErrors } from './console-guard.ts'
import { takeUnanswered } from './fake-server.ts'

beforeEach(() => {
  localStorage.clear()
  chooseTheme('system')
  forgetUnread()
  connectionStore.set('Disconnected')
  conclusionStore.set(false)
  blockingStore.set(null)
  menuOpenStore.set(false)
  waitingCountStore.set(0)
  setBackCountStore.set(0)
  leavingStore.set(false)
  guardConsole()
})

afterEach(async () => {
  await cleanup()
  expect(takeErrors(), 'unexpected console errors').toEqual([])
  expect(takeUnanswered(), 'calls that the test gave no answer for').toEqual([])
})
