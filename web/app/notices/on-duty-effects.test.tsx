import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getBoard } from '#features/board/calls/board.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import { type AlarmPlace, getAlarms } from '#features/live-updates/calls/alarms.ts'
import { getChannels, getChannelToken } from '#features/live-updates/calls/realtime.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { chooseSound } from '../../live/alarm/alarm-sound.ts'
import { tellNews } from '../../live/feed-news.ts'
import { awakeStore, chooseAwake } from '../../live/wake-lock.ts'
import { clearAuth, updateAuth } from '../../session/stored-auth.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import type { FakeServer } from '../../testing/fake-server.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { flags, someSignIn } from '../../testing/stored-auth.ts'
import { respond } from './response.tsx'

const title = 'All Wardens - Evac'
beforeEach(() => {
  document.title = title
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  chooseSound(false)
  chooseAwake(true)
})

const place = (danger: number): AlarmPlace => ({
  building: { id: 'b1' as BuildingUid, name: 'Tower A' },
  floor: { id: 'f5' as FloorUid, name: 'Level 5' },
  danger,
  refusals: 0,
  floor_status: null,
})

/** A chief who listens from position 5, and what is told about everything after it. */
function listening(server: FakeServer, danger = 0, cursor = '6') {
  server.answer(getAlarms, ({ input: { query } }) => ({
    cursor: query.since ? cursor : '5',
    floors: null,
    is_new: danger > 0 && query.raised !== cursor,
    places: query.since && Number(query.since) < Number(cursor) && danger > 0 ? [place(danger)] : [],
  }))
}
const alert = page.getByRole('alert')
const words = '3 people in danger, Tower A Level 5'

async function openListening(at = '/me/role', options: Parameters<typeof renderApp>[1] = {}) {
  const app = await renderApp(at, { ...options, given: (server) => listening(server) })
  await expect.poll(() => app.server.received(getAlarms).length).toBe(1)
  return app
}
/** The next question may come 2 s after the last one. */
async function danger(app: Awaited<ReturnType<typeof renderApp>>, people = 3) {
  listening(app.server, people)
  tellNews(null)
  await expect.element(alert.getByText(/in danger/), { timeout: 5000 }).toBeVisible()
}

test('UX-10 BOARD-05 on the command board a new danger raises no toast, which would cover the totals', async () => {
  const vibrate = vi.spyOn(navigator, 'vibrate').mockReturnValue(true)
  vi.spyOn(navigator.userActivation, 'hasBeenActive', 'get').mockReturnValue(true)
  const app = await renderApp('/event/board', {
    given: (server) => {
      listening(server)
      server.answer(getBoard, { status: 'error', message: 'No Current Events' })
    },
  })
  await expect.poll(() => app.server.received(getAlarms).length).toBe(1)

  listening(app.server, 3)
  tellNews(null)

  await expect.poll(() => vibrate.mock.calls.length, { timeout: 5000 }).toBeGreaterThan(0)
  expect([alert.getByText(/in danger/).elements(), document.title]).toEqual([[], title])
})

test("UX-10 a new danger: a red toast with place and 'Open', a vibration, and a number before the title", async () => {
  const vibrate = vi.spyOn(navigator, 'vibrate').mockReturnValue(true)
  vi.spyOn(navigator.userActivation, 'hasBeenActive', 'get').mockReturnValue(true)
  const app = await openListening()
  expect(document.title).toBe(title)

  await danger(app)

  await expect.element(alert.getByText(words)).toBeVisible()
  expect(document.querySelector('[role=alert] [data-variant]')?.getAttribute('data-variant')).toBe('danger')
  expect(document.title).toBe(`(3) ${title}`)
  expect(vibrate).toHaveBeenCalledOnce()
  await expectNoAxeViolations()

  await alert.getByRole('button', { name: 'Open' }).click()
  expect(app.address()).toBe('/evacuee/safety?display=danger&floor=f5')
  expect(document.title).toBe(title)
  await expect.element(alert.getByText(words)).not.toBeInTheDocument()
})

test('UX-10 the alarm stays until it is dismissed, whatever toasts come after it; then the number falls back', async () => {
  const app = await openListening('/me/role', { auth: { module_access: flags('Module_Wardens_On_Duty') } })
  await danger(app)
  expect(alert.getByRole('button', { name: 'Open' }).query()).toBeNull()

  await alert.getByRole('button', { name: 'Dismiss' }).click()

  expect(document.title).toBe(title)
  await expect.element(alert.getByText(words)).not.toBeInTheDocument()
})

test('UX-10 what another tab has looked at is taken off this one', async () => {
  const app = await openListening()
  await danger(app)
  const otherTab = new BroadcastChannel(`alarms of ${someSignIn}`)

  otherTab.postMessage('6')

  await expect.element(alert.getByText(words)).not.toBeInTheDocument()
  expect(document.title).toBe(title)
  otherTab.close()
})

test('UX-10 an alarm goes with the duty; off duty nothing is asked', async () => {
  const app = await openListening()
  await danger(app)

  updateAuth({ on_duty: false })

  await expect.element(alert.getByText(words)).not.toBeInTheDocument()
  expect(document.title).toBe(title)
  const asked = app.server.received(getAlarms).length
  tellNews(null)
  expect(app.server.received(getAlarms).length).toBe(asked)
})

test('UX-10 RT-13 the feed brings the news, by the socket', async () => {
  const socket = fakeSocket()
  const app = await renderApp('/floor/evacuation', {
    given(server) {
      listening(server)
      server.answer(getChannels, {
        channels: ['event:e1'],
        Warden_Sign_In_UID: someSignIn,
        event_kind: null,
        made_live: null,
      })
      server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
    },
  })
  await expect.poll(() => app.server.received(getAlarms).length).toBeGreaterThan(0)
  await expect.poll(() => socket.subscribed).toEqual(['event:e1'])
  listening(app.server, 3)

  const event = { status: true, ended_by: null }
  socket.publish('event:e1', { status: 'ok', message: null, event, changed: [{ topic: 'evacuee', ids: ['p'] }] }, 9)

  await expect.element(alert.getByText(words), { timeout: 6000 }).toBeVisible()
})

const menu = page.getByRole('dialog', { name: 'Menu' })
const openMenu = () => page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
const choice = (legend: string, name: string) => menu.getByRole('group', { name: legend }).getByRole('radio', { name })

test("UX-10 the sound is off at first, is kept on this phone, and 'Test' plays it", async () => {
  const tones = vi.spyOn(OscillatorNode.prototype, 'start')
  await openListening()
  await openMenu()
  await expect.element(choice('Alarm sound', 'Off')).toBeChecked()

  await choice('Alarm sound', 'On').click()
  expect(localStorage.getItem('alarmSound')).toBe('on')
  await menu.getByRole('button', { name: 'Test alarm sound' }).click()
  await expect.poll(() => tones.mock.calls.length).toBe(6)
  await expectNoAxeViolations()

  await choice('Alarm sound', 'Off').click()
  expect(localStorage.getItem('alarmSound')).toBeNull()
})

test('UX-10 the sound comes with the alarm if it is switched on, and not otherwise', async () => {
  const tones = vi.spyOn(OscillatorNode.prototype, 'start')
  const app = await openListening()
  await danger(app)
  expect(tones).not.toHaveBeenCalled()
  chooseSound(true)
  await app.unmount()

  await danger(await openListening())
  await expect.poll(() => tones.mock.calls.length).toBe(6)
})

test('UX-10 a sound that the browser blocks is said to be blocked, until the next press', async () => {
  vi.spyOn(AudioContext.prototype, 'state', 'get').mockReturnValue('suspended')
  vi.spyOn(AudioContext.prototype, 'resume').mockReturnValue(new Promise(() => undefined))
  await openListening()
  chooseSound(true)
  await openMenu()
  await expect.element(menu.getByText('The browser blocks the sound until you tap the page once.')).toBeVisible()

  vi.restoreAllMocks()
  await userEvent.keyboard('{Shift}')

  await expect.element(menu.getByText(/browser blocks/)).not.toBeInTheDocument()
})

/** A browser that keeps the screen awake. */
function screenLock() {
  const held = new Set<object>()
  const request = vi.fn(async () => {
    const lock = { released: false, release: async () => void held.delete(lock) }
    held.add(lock)
    return lock as unknown as WakeLockSentinel
  })
  vi.spyOn(navigator.wakeLock, 'request').mockImplementation(request)
  return {
    held,
    request,
    /** The browser lets go of a hidden page. */
    hide() {
      for (const lock of held) Object.assign(lock, { released: true })
      held.clear()
    },
  }
}
const backInView = () => document.dispatchEvent(new Event('visibilitychange'))

test('UX-12 the screen stays awake on duty, and again after the page was hidden', async () => {
  const lock = screenLock()
  await openListening()
  await expect.poll(() => lock.held.size).toBe(1)
  backInView()
  expect(lock.request).toHaveBeenCalledOnce()

  lock.hide()
  backInView()
  await expect.poll(() => lock.held.size).toBe(1)
})

test.each([
  ['off duty', () => updateAuth({ on_duty: false })],
  ['signed out', clearAuth],
  ['switched off', () => chooseAwake(false)],
])('UX-12 %s the screen may sleep', async (_, leave) => {
  const lock = screenLock()
  await openListening()
  await expect.poll(() => lock.held.size).toBe(1)

  leave()

  await expect.poll(() => lock.held.size).toBe(0)
  backInView()
  expect(lock.request).toHaveBeenCalledOnce()
})

test('UX-12 the switch is on at first and kept on this phone; off duty nothing is held', async () => {
  const lock = screenLock()
  await openListening()
  await openMenu()
  await expect.element(choice('Keep screen awake', 'On')).toBeChecked()

  await choice('Keep screen awake', 'Off').click()
  expect([awakeStore.get(), localStorage.getItem('screen')]).toEqual([false, 'may sleep'])
  await choice('Keep screen awake', 'On').click()
  expect([awakeStore.get(), localStorage.getItem('screen')]).toEqual([true, null])
  await expect.poll(() => lock.held.size).toBe(1)
})

test('RESP-05 the screen is not kept awake before the page has read that no one hides here, and never where someone does', async () => {
  const lock = screenLock()
  const brief = { command: null, instruction: null, offer: null, claims: [], gaps: null }
  const lockdown = {
    building: 'b1' as BuildingUid,
    name: 'Tower A',
    own: true,
    action: 'lockdown' as const,
    action_from: '2026-03-02T03:12:00Z',
  }
  let answer: (reply: typeof brief) => void = () => undefined
  const app = await renderApp('/floor/evacuation', {
    given: (server) => {
      listening(server)
      server.answer(
        getBrief,
        () =>
          new Promise((resolve) => {
            answer = resolve
          }),
      )
    },
  })
  await expect.poll(() => app.server.received(getBrief).length).toBeGreaterThan(0)
  expect(lock.request).not.toHaveBeenCalled()
  answer(brief)
  await expect.poll(() => lock.held.size).toBe(1)
  await app.unmount()
  expect(lock.held.size).toBe(0)

  const there = await renderApp('/floor/evacuation', {
    given: (server) => {
      listening(server)
      server.answer(getBrief, { ...brief, actions: [lockdown], leaving: false })
    },
  })
  onTestFinished(() => respond(undefined, false))
  await expect.element(page.getByText(/^Lockdown in Tower A since/)).toBeVisible()
  expect(lock.request).toHaveBeenCalledOnce()
  await there.unmount()
})
