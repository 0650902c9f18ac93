import { beforeEach, expect, test, vi } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { browser } from '../lib/browser.ts'
import { someSignIn, storedAuth } from '../testing/stored-auth.ts'
import { eventFlags } from './event-flags.ts'
import { blockingStore, conclusionStore, endsHereStore, forgetNotices, noteEvent } from './event-notices.ts'
import { getAuth, setAuth } from './stored-auth.ts'

const floor = '/floor/evacuation'
const concluded = (ended_by: string | null): Publication => ({
  status: 'ok',
  message: null,
  event: { status: false, ended_by },
})
beforeEach(() => {
  forgetNotices()
  setAuth(storedAuth())
})

test('RT-01, AMB-078 an ok publication without event status concludes the event: notice, off duty, then the list', () => {
  noteEvent(concluded('someone else'), floor)
  expect(conclusionStore.get()).toBe(true)
  expect(getAuth()).toMatchObject({ on_duty: false, event: { status: false, goToReportInListPage: true } })
})

test("RT-01 status 'OK' in capitals, or no event at all, has the same effect", () => {
  noteEvent({ status: 'OK', message: null }, floor)
  expect(conclusionStore.get()).toBe(true)
})

test.each(['/reportinlist', '/warden-assignment/a', '/withdraw/a'])('RT-02 no notice on %s', (path) => {
  noteEvent(concluded('someone else'), path)
  expect(conclusionStore.get()).toBe(false)
})

test('RT-03 no notice for the warden who ended the event: the page that ended it stays as it is', () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  endsHereStore.set(true)

  noteEvent(concluded(someSignIn), floor)

  expect(conclusionStore.get()).toBe(false)
  expect(load).not.toHaveBeenCalled()
})

test('RT-03 AMB-078 another page of the warden who ended the event goes to the list, off duty, without a notice', () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()

  noteEvent(concluded(someSignIn), floor)

  expect(conclusionStore.get()).toBe(false)
  expect(load.mock.calls).toEqual([['/reportinlist']])
  expect(getAuth()).toMatchObject({ on_duty: false, event: { status: false, goToReportInListPage: true } })
})

test('RT-03 no notice either if the participation is no longer stored because the reply to the end came first', () => {
  setAuth(storedAuth({ WardenSignInUID: null, on_duty: false, event: eventFlags('end') }))
  noteEvent(concluded(someSignIn), floor)
  expect(conclusionStore.get()).toBe(false)
})

test('RT-22 no notice while the event runs', () => {
  noteEvent({ status: 'ok', message: null, warden_unread_msg: true, event: { status: true, ended_by: null } }, floor)
  expect(conclusionStore.get()).toBe(false)
})

test('RT-05 a status other than ok blocks with its message; without a message nothing is shown', () => {
  noteEvent({ status: 'no_event', message: null }, floor)
  expect([blockingStore.get(), conclusionStore.get()]).toEqual([null, false])

  noteEvent({ status: 'removed', message: 'Your building has been removed from the event.' }, floor)
  expect(blockingStore.get()).toBe('Your building has been removed from the event.')
  expect(getAuth()?.event).toEqual({ status: false, goToReportInListPage: true })
})
