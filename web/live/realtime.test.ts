import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getChannels, getChannelToken, type Publication, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { getAuth, setAuth, updateAuth } from '../session/stored-auth.ts'
import { cutOff, refused, serverForEachTest } from '../testing/fake-server.ts'
import { fakeSocket } from '../testing/fake-socket.ts'
import { someSignIn, storedAuth } from '../testing/stored-auth.ts'
import { connectionStore, lateStore } from './connection-state.ts'
import { Feed } from './realtime.ts'

const list = { channels: ['event:e1', 'warden:w1'], Warden_Sign_In_UID: someSignIn, event_kind: null, made_live: null }
const noList = { channels: [], Warden_Sign_In_UID: null, event_kind: null, made_live: null }
const running: Publication = { status: 'ok', message: null, event: { status: true, ended_by: null } }
const onPublication = vi.fn()
const onGap = vi.fn()
const server = serverForEachTest()
let socket: ReturnType<typeof fakeSocket>
let feed: Feed

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onPublication.mockReset()
  onGap.mockReset()
  socket = fakeSocket()
  server.answer(getChannels, list)
  server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
  server.answer(pollEvent, running)
  setAuth(storedAuth())
  feed = new Feed({ onPublication, onGap })
})
afterEach(() => {
  feed.stop()
  vi.useRealTimers()
})

const connect = async () => {
  feed.check()
  await expect.poll(() => connectionStore.get()).toBe('Connected')
}

test('RT-10, RT-13 opens a websocket with the token and subscribes to every channel', async () => {
  await connect()

  expect(socket.urls).toEqual([`ws://${window.location.host}/connection/websocket`])
  expect(socket.tokens).toEqual(['jwt'])
  await expect.poll(() => socket.subscribed).toEqual(list.channels)
})

test('RT-07 RT-08 the state goes from Disconnected via Connecting to Connected, and back when the page is left', async () => {
  const seen = [connectionStore.get()]
  const stop = connectionStore.subscribe(() => seen.push(connectionStore.get()))

  await connect()
  feed.stop()
  stop()

  expect(seen).toEqual(['Disconnected', 'Connecting', 'Connected', 'Disconnected'])
  expect(socket.connections()).toBe(0)
})

test('RT-13 publications arrive once, whatever a recovery repeats', async () => {
  await connect()
  await expect.poll(() => socket.subscribed.length).toBe(2)

  socket.publish('event:e1', running, 7)
  socket.publish('event:e1', { ...running, status: 'repeated' }, 7)
  socket.publish('event:e1', { ...running, status: 'next' }, 8)

  await expect.poll(() => onPublication.mock.calls.map(([{ status }]) => status)).toEqual(['ok', 'next'])
})

test('RT-13 HUB-06 restarted offsets are accepted once the server has said that nothing was recovered', async () => {
  const soon = vi.spyOn(Math, 'random').mockReturnValue(0)
  await connect()
  await expect.poll(() => socket.subscribed.length).toBe(2)
  socket.publish('event:e1', running, 5000)
  await expect.poll(() => onPublication.mock.calls.length).toBe(1)

  socket.hangUp(1001)
  await expect.poll(() => socket.subscribed.length, { timeout: 5000 }).toBe(4)
  socket.publish('event:e1', { ...running, status: 'next' }, 6)

  await expect.poll(() => onPublication.mock.calls.length).toBe(2)
  soon.mockRestore()
})

test('RT-13 a subscription that recovered nothing refetches everything on screen', async () => {
  await connect()
  await expect.poll(() => onGap.mock.calls.length).toBe(2)
})

test('RT-24 the socket stays open with a new token when the old one expires', async () => {
  socket = fakeSocket({ tokenSeconds: 1 })
  await connect()
  server.answer(getChannelToken, { token: 'next jwt', expires_in: 3600, url: '/connection/websocket' })

  await expect.poll(() => socket.tokens, { timeout: 5000 }).toEqual(['jwt', 'next jwt'])
  expect([connectionStore.get(), socket.urls.length]).toEqual(['Connected', 1])
})

test('RT-14, RT-15 a new request cancels the previous one', async () => {
  server.answer(getChannels, () => new Promise(() => undefined))
  feed.check()
  feed.check()

  const [first, second] = server.received(getChannels)
  expect([first?.signal?.aborted, second?.signal?.aborted]).toEqual([true, false])
})

test('RT-21, AMB-074 the channel list is requested every 30 s', async () => {
  await connect()
  // Waiting for the connection has already advanced the clock.
  await vi.advanceTimersByTimeAsync(28_000)
  expect(server.received(getChannels)).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(server.received(getChannels)).toHaveLength(2)
})

test('AMB-074 a changed list is resubscribed, an unchanged list is not', async () => {
  await connect()
  await expect.poll(() => socket.subscribed.length).toBe(2)

  updateAuth({ on_duty: false })
  feed.check()
  await expect.poll(() => getAuth()?.on_duty, { interval: 1 }).toBe(true)
  expect(connectionStore.get()).toBe('Connected')
  server.answer(getChannels, { ...list, channels: ['event:e2'] })
  feed.check()

  await expect.poll(() => socket.subscribed).toEqual(['event:e1', 'warden:w1', 'event:e2'])
  expect(socket.connections()).toBe(1)
})

test('RT-23 it polls every 15 s while not Connected and handles the reply like a publication; it does not poll while Connected', async () => {
  server.answer(getChannelToken, cutOff)
  feed.check()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(server.received(pollEvent)).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1_000)
  await expect.poll(() => onPublication.mock.calls).toEqual([[running]])

  server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
  await connect()
  await vi.advanceTimersByTimeAsync(15_000)

  expect(server.received(pollEvent)).toHaveLength(1)
})

test('F36 RT-23 after a poll without an answer nothing else is asked; after one with an answer everything on screen is', async () => {
  server.answer(getChannelToken, cutOff)
  server.answer(pollEvent, refused('unavailable'))
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.poll(() => server.received(pollEvent)).toHaveLength(1)
  expect(onGap).not.toHaveBeenCalled()

  server.answer(pollEvent, running)
  await vi.advanceTimersByTimeAsync(15_000)

  await expect.poll(() => onGap.mock.calls.length).toBe(1)
})

test('FEED-02 FEED-05 while live updates are late an open socket does not count: it polls at once and every 8 s, and says so', async () => {
  await connect()
  server.answer(getChannels, { ...list, live: { behind_seconds: 12 } })

  socket.hangUp(3011)

  await expect.poll(() => [connectionStore.get(), lateStore.get()]).toEqual(['Disconnected', true])
  await expect.poll(() => onPublication.mock.calls).toEqual([[running]])
  await expect.poll(() => onGap.mock.calls.length).toBeGreaterThan(0)
  await expect.poll(() => socket.connections(), { timeout: 5000 }).toBe(1)
  const polls = server.received(pollEvent).length
  await vi.advanceTimersByTimeAsync(8_000)
  await expect.poll(() => server.received(pollEvent).length).toBe(polls + 1)
  expect(connectionStore.get()).toBe('Disconnected')

  server.answer(getChannels, list)
  await vi.advanceTimersByTimeAsync(8_000)
  await expect.poll(() => [connectionStore.get(), lateStore.get()]).toEqual(['Connected', false])
})

test('FEED-02 live updates that are a few seconds late are not interrupted', async () => {
  await connect()
  server.answer(getChannels, { ...list, live: { behind_seconds: 9 } })
  feed.check()
  await expect.poll(() => server.received(getChannels).length).toBe(2)
  await vi.advanceTimersByTimeAsync(8_000)
  expect([connectionStore.get(), server.received(pollEvent).length]).toEqual(['Connected', 0])
})

test('AMB-073 without a participation nothing is polled in place of the socket', async () => {
  setAuth(storedAuth({ WardenSignInUID: null }))
  await vi.advanceTimersByTimeAsync(15_000)
  expect(server.received(pollEvent)).toHaveLength(0)
})

test('AMB-073 an event that ended unnoticed is asked about once, then the participation is cleared', async () => {
  await connect()
  server.answer(getChannels, noList)
  server.answer(pollEvent, { ...running, event: { status: false, ended_by: 'x' } })

  feed.check()

  await expect.poll(() => onPublication.mock.calls.length).toBe(1)
  await expect.poll(() => getAuth()).toMatchObject({ WardenSignInUID: null, on_duty: false })
  expect(socket.connections()).toBe(0)
  feed.check()
  await expect.poll(() => server.received(getChannels).length).toBe(3)
  expect(server.received(pollEvent)).toHaveLength(1)
})

test('AMB-073 if the reply about the end is lost, it is requested again, and the participation is kept until then', async () => {
  const ended = { ...running, event: { status: false, ended_by: 'x' } }
  await connect()
  server.answer(getChannels, noList)
  server.answer(pollEvent, cutOff)
  feed.check()
  await expect.poll(() => server.received(pollEvent).length).toBe(1)
  await expect.poll(() => connectionStore.get()).toBe('Disconnected')

  server.answer(pollEvent, ended)
  feed.check()

  await expect.poll(() => onPublication.mock.calls).toEqual([[ended]])
  await expect.poll(() => getAuth()).toMatchObject({ WardenSignInUID: null, on_duty: false })
})

test('AMB-073 the open page is refetched once the warden is found off duty, and not at every later check', async () => {
  await connect()
  await expect.poll(() => onGap.mock.calls.length).toBe(2)
  server.answer(getChannels, noList)
  server.answer(pollEvent, { status: 'no_event', message: null })
  feed.check()
  await expect.poll(() => onGap.mock.calls.length).toBe(3)

  updateAuth({ WardenSignInUID: someSignIn })
  feed.check()
  await expect.poll(() => getAuth()?.WardenSignInUID).toBeNull()

  expect(onGap).toHaveBeenCalledTimes(3)
})

test('RT-23 a socket that the server closes for good triggers a poll at once', async () => {
  await connect()
  socket.hangUp(3500)
  await expect.poll(() => server.received(pollEvent).length).toBe(1)
  expect(connectionStore.get()).toBe('Disconnected')
})

test('RT-19 failures of the channel list or the token show nothing and are retried', async () => {
  server.answer(getChannels, refused('server_error'))
  feed.check()
  await expect.poll(() => server.received(getChannels).length).toBe(1)

  server.answer(getChannels, list)
  server.answer(getChannelToken, refused('no_event'))
  feed.check()
  await expect.poll(() => server.received(getChannelToken).length).toBe(1)
  await expect.poll(() => connectionStore.get()).toBe('Disconnected')

  server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
  await connect()
})

test('AMB-040 the channel list updates the stored participation and on-duty state', async () => {
  setAuth(storedAuth({ WardenSignInUID: null, on_duty: false }))
  await connect()
  expect(getAuth()).toMatchObject({ WardenSignInUID: someSignIn, on_duty: true })
})
