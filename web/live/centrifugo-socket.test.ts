import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getChannels, getChannelToken, type Publication, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { setAuth } from '../session/stored-auth.ts'
import { cutOff, serverForEachTest } from '../testing/fake-server.ts'
import { fakeSocket } from '../testing/fake-socket.ts'
import { someSignIn, storedAuth } from '../testing/stored-auth.ts'
import { Feed } from './realtime.ts'

const list = { channels: ['event:e1', 'warden:w1'], Warden_Sign_In_UID: someSignIn, event_kind: null, made_live: null }
const running: Publication = { status: 'ok', message: null, event: { status: true, ended_by: null } }
const token = {
  token: 'jwt',
  expires_in: 3600,
  url: 'wss://live.evac.test/connection/websocket',
  channel_tokens: { 'event:e1': 'of event', 'warden:w1': 'of warden' },
}
const onPublication = vi.fn()
const onGap = vi.fn()
const server = serverForEachTest()
let socket: ReturnType<typeof fakeSocket>
let feed: Feed

beforeEach(() => {
  onPublication.mockReset()
  onGap.mockReset()
  socket = fakeSocket()
  server.answer(getChannels, list)
  server.answer(getChannelToken, token)
  server.answer(pollEvent, { ...running, warden_unread_msg: true, at: 40 })
  setAuth(storedAuth())
  feed = new Feed({ onPublication, onGap })
})
afterEach(() => feed.stop())

const begin = async () => {
  feed.check()
  await expect.poll(() => onGap.mock.calls.length).toBe(1)
}
const told = () => onPublication.mock.calls.map(([{ status }]) => status)

test('LIVE-01 LIVE-02 the socket opens where the server says, and each channel has its own token', async () => {
  await begin()

  expect(socket.urls).toEqual(['wss://live.evac.test/connection/websocket'])
  expect([socket.subscribed, socket.channelTokens]).toEqual([list.channels, ['of event', 'of warden']])
})

test('LIVE-02 RT-18 the beginning of the channels is asked for once, and everything is read from there on', async () => {
  await begin()

  expect(server.received(pollEvent)).toHaveLength(1)
  expect(onPublication.mock.calls).toEqual([[{ ...running, warden_unread_msg: true, at: 40 }]])
  expect(onGap.mock.calls).toEqual([[40]])
})

test('LIVE-04 what was published while the beginning was asked for is not older than it', async () => {
  const answer = Promise.withResolvers<Publication>()
  server.answer(pollEvent, () => answer.promise)
  feed.check()
  await expect.poll(() => server.received(pollEvent).length).toBe(1)

  socket.publish('event:e1', { ...running, status: 'meanwhile' }, 45)
  await expect.poll(told).toEqual(['meanwhile'])
  answer.resolve({ ...running, at: 40 })

  await expect.poll(() => onGap.mock.calls).toEqual([[45]])
})

test('LIVE-02 without an answer about the beginning everything is read all the same', async () => {
  server.answer(pollEvent, cutOff)

  await begin()

  expect(onGap.mock.calls).toEqual([[undefined]])
})

test('LIVE-04 publications are compared by their transaction, whatever the offset is', async () => {
  await begin()

  socket.publish('event:e1', { ...running, status: 'first' }, 50, 3)
  socket.publish('event:e1', { ...running, status: 'again' }, 50, 4)
  socket.publish('event:e1', { ...running, status: 'second' }, 51, 1)
  socket.publish('warden:w1', { ...running, status: 'other channel' }, 49, 1)

  await expect.poll(told).toEqual(['ok', 'first', 'second', 'other channel'])
})

test('LIVE-04 LIVE-07 told to read again, the phone does so, asks how late it is, and takes lower transactions', async () => {
  const soon = vi.spyOn(Math, 'random').mockReturnValue(0)
  await begin()
  socket.publish('event:e1', { ...running, status: 'before' }, 5000)

  socket.publish('event:e1', { ...running, refetch: true }, 0)

  await expect.poll(() => onGap.mock.calls.length).toBe(2)
  await expect.poll(() => server.received(getChannels).length).toBe(2)
  socket.publish('event:e1', { ...running, status: 'after' }, 6)
  await expect.poll(told).toEqual(['ok', 'before', 'ok', 'after'])
  soon.mockRestore()
})
