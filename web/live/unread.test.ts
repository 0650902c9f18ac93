import { expect, test, vi } from 'vitest'
import { noteUnread, unreadStore, unreadText } from './unread.ts'

test.each([
  ['MENU-16', true, true, 'Unread Message from Evacuees and Wardens'],
  ['MENU-17', true, false, 'Unread Message from Evacuees only'],
  ['MENU-18', false, true, 'Unread Message from Wardens only'],
  ['MENU-19', false, false, null],
])('%s evacuees unread: %s, wardens unread: %s', (_, fromEvacuees, fromWardens, wanted) => {
  expect(unreadText({ fromEvacuees, fromWardens })).toBe(wanted)
})

test('RT-18 fields missing from a publication change nothing', () => {
  noteUnread({ status: 'ok', message: null, unread_messages_from_wardens: ['w1'], warden_unread_msg: true })
  noteUnread({ status: 'ok', message: null, evacuee_unread_msg: true, evacuee_unread_count: 2 })
  expect(unreadStore.get()).toEqual({ wardens: ['w1'], fromWardens: true, fromEvacuees: true, evacuees: 2 })
})

test('RT-18 a publication that tells nothing new of what is unread draws nothing anew', () => {
  noteUnread({ status: 'ok', message: null, evacuee_unread_msg: true, evacuee_unread_count: 2 })
  const draw = vi.fn()
  const stop = unreadStore.subscribe(draw)
  noteUnread({ status: 'ok', message: null, changed: [{ topic: 'evacuee', ids: [] }] })
  noteUnread({ status: 'ok', message: null, evacuee_unread_count: 2 })
  expect(draw).not.toHaveBeenCalled()
  noteUnread({ status: 'ok', message: null, evacuee_unread_count: 3 })
  expect(draw).toHaveBeenCalledTimes(1)
  stop()
})
