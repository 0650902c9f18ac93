import '../evacuees/search/fold-names.ts'
// the looks of both sides
import '../app/console/console.css'
import { afterEach, beforeEach, expect } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { chooseTheme } from '../lib/look/theme.ts'
import { connectionStore } from '../live/connection-state.ts'
import { forgetUnread } from '../live/unread.ts'
import { pendingCountStore, rejectedCountStore } from '../outbox/record-counts.ts'
import { blockingStore, conclusionStore } from '../session/event-notices.ts'
import { menuOpenStore } from '../session/navigation/menu-button.tsx'
import { leavingStore } from '../session/session-end.ts'
import { guardConsole, takeErrors } from './console-guard.ts'
import { takeUnanswered } from './fake-server.ts'
import { dismissToasts } from './toasts.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  window.scrollTo(0, 0)
  chooseTheme('system')
  forgetUnread()
  connectionStore.set('Disconnected')
  conclusionStore.set(false)
  blockingStore.set(null)
  menuOpenStore.set(false)
  pendingCountStore.set(0)
  rejectedCountStore.set(0)
  leavingStore.set(false)
  globalThis.asked = undefined
  guardConsole()
})

afterEach(async () => {
  dismissToasts()
  await cleanup()
  expect(takeErrors(), 'unexpected console errors').toEqual([])
  expect(takeUnanswered(), 'calls that the test gave no answer for').toEqual([])
})
