import { expect, test, vi } from 'vitest'
import { closeCodes } from './codes.ts'
import { encodePublication } from './frames.ts'
import { MemoryHistory, ownTime, Phone, startHub, tokenFor } from './hub.fixture.ts'
import { RawSocket } from './raw-socket.fixture.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 5 })

test('RT-10 RT-13 the official client connects, subscribes to its channels and gets their publications', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1', 'warden:s1'])
  await phone.ready()

  server.publish('event:1', { status: 'ok' })
  server.publish('warden:s1', { status: 'removed' })
  server.publish('event:2', { status: 'ok' })

  await eventually(() => phone.received).toEqual([{ status: 'ok' }, { status: 'removed' }])
  expect(server.hub.counts()).toEqual({ connections: 1, subscriptions: 2 })
})

test('RT-20 HUB-03 a channel that the token does not name is rejected', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  for (const foreign of ['event:2', 'warden:s2', 'event:*', 'event:', 'event:1 ']) phone.follow(foreign)

  await eventually(() => phone.log.filter((line) => line === 'unsubscribed 103')).toHaveLength(5)
  expect(server.hub.channels()).toEqual(['event:1'])
})

test('HUB-03 a client may not publish', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  await expect(phone.client.publish('event:1', { status: 'ok' })).rejects.toMatchObject({ code: 103 })
})

test('HUB-05 after a hub was killed and restarted, the client gets everything once and in order', async () => {
  const history = new MemoryHistory()
  const first = await startHub({ history })
  using phone = new Phone(first.url, 's1', ['event:1'])
  await phone.ready()
  first.publish('event:1', 1)
  await eventually(() => phone.received).toEqual([1])

  await first[Symbol.asyncDispose]()
  for (const missed of [2, 3, 4]) history.store('event:1', missed)
  await using second = await startHub({ history, port: first.port })
  await eventually(() => phone.log).toContain('subscribed recovered=true')
  second.publish('event:1', 5)

  await eventually(() => phone.received).toEqual([1, 2, 3, 4, 5])
  expect(phone.log.at(-1)).toBe('subscribed recovered=true')
})

test('HUB-04 a publication during a history read arrives once, after the history', async () => {
  const history = new MemoryHistory()
  const first = await startHub({ history })
  using phone = new Phone(first.url, 's1', ['event:1'])
  await phone.ready()
  await first[Symbol.asyncDispose]()
  history.store('event:1', 'missed')

  await using second = await startHub({ history, port: first.port })
  history.onRead = async () => {
    history.onRead = async () => {}
    second.publish('event:1', 'meanwhile')
    second.hub.publish('event:1', 1001, '"missed"') // the live feed repeats what the history already contained
  }

  await eventually(() => phone.received).toContain('meanwhile')
  second.publish('event:1', 'after')
  await eventually(() => phone.received).toEqual(['missed', 'meanwhile', 'after'])
  expect(phone.offsets).toEqual([1001, 1002, 1003])
})

test('HUB-04 an offset that was seen is not sent again', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  for (const offset of [1001, 1002, 1002, 1001, 1003]) server.hub.publish('event:1', offset, `${offset}`)

  await eventually(() => phone.received).toContain(1003)
  expect(phone.received).toEqual([1001, 1002, 1003])
})

test.for<[string, { epoch?: string; missed?: number; offset?: number }]>([
  ['an unknown epoch', { epoch: 'other' }],
  ['an offset from the future', { offset: 5000 }],
  ['more missed than the limit', { missed: 501 }],
])(
  'HUB-06 %s is answered "not recovered", and the live feed continues',
  async ([, { epoch = 'first', missed = 0, offset = 1000 }]) => {
    await using server = await startHub()
    for (let at = 0; at < missed; at++) server.history.store('event:1', at)
    using phone = new Phone(server.url, 's1', [], { getToken: () => tokenFor('s1', ['event:1']) })
    const subscription = phone.client.newSubscription('event:1', { since: { offset, epoch } })
    const told: unknown[] = []
    subscription.on('subscribed', ({ wasRecovering, recovered }) => told.push({ wasRecovering, recovered }))
    subscription.on('publication', ({ data }) => told.push(data))
    subscription.subscribe()
    await subscription.ready()

    server.publish('event:1', 'live')

    await eventually(() => told).toEqual([{ wasRecovering: true, recovered: false }, 'live'])
  },
)

test('HUB-11 the socket of a revoked participation closes within two seconds and stays closed', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1'])
  using other = new Phone(server.url, 's2', ['event:1'])
  await Promise.all([phone.ready(), other.ready()])
  const sinceSignOut = ownTime()

  server.hub.disconnect('s1', closeCodes.signedOut)

  await eventually(() => phone.client.state).toBe('disconnected')
  expect(sinceSignOut()).toBeLessThan(2000)
  expect(phone.log.slice(-1)).toEqual(['disconnected 3503'])
  expect([phone.tokensFetched, other.client.state]).toEqual([1, 'connected'])
})

test('HUB-11 only the sockets open at that moment are closed: a later sign-in stays connected', async () => {
  await using server = await startHub()
  using before = new Phone(server.url, 's1', ['event:1'])
  await before.ready()

  server.hub.disconnect('s1', closeCodes.removedFromEvent, { afterMs: 200 })
  using after = new Phone(server.url, 's1', ['event:1'])
  await after.ready()

  await eventually(() => before.client.state).toBe('disconnected')
  expect(after.client.state).toBe('connected')
})

test('HUB-11 the end of an event reaches everyone before their sockets are closed', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1', 'warden:s1'])
  using elsewhere = new Phone(server.url, 's2', ['event:2'])
  await Promise.all([phone.ready(), elsewhere.ready()])

  server.publish('event:1', 'concluded')
  server.hub.disconnectChannel('event:1', closeCodes.eventEnded, { afterMs: 20, spreadMs: 20 })

  await eventually(() => phone.log.at(-1)).toBe('disconnected 3503')
  expect(phone.received).toEqual(['concluded'])
  expect(elsewhere.client.state).toBe('connected')
})

test('HUB-12 history and ping are answered, and an unsubscribe takes effect', async () => {
  await using server = await startHub()
  server.history.store('event:1', 'a')
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  const history = await phone.client.history('event:1', { limit: 10, since: { offset: 0, epoch: 'first' } })
  const position = await phone.client.history('event:1')
  phone.client.getSubscription('event:1')?.unsubscribe()

  expect(history.publications).toMatchObject([{ data: 'a', offset: 1001 }])
  expect(position).toMatchObject({ offset: 1001, epoch: 'first', publications: [] })
  await eventually(() => server.hub.channels()).toEqual([])
  await expect(phone.client.history('event:1')).rejects.toMatchObject({ code: 103 })
})

test('HUB-13 a connection that answers no ping is closed, one that does stays open', async () => {
  await using server = await startHub({ pingSeconds: 1 })
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()
  const mute = await RawSocket.connected(server.url, 's2')

  await eventually(() => mute.closed).toMatchObject({ code: 3012 })
  expect(mute.messages.filter((message) => message === '{}').length).toBeGreaterThan(0)
  expect(phone.log).toEqual(['connecting 0', 'connected', 'subscribed'])
})

test('HUB-14 a publication of any length reaches every subscriber unchanged', async () => {
  const count = vi.fn()
  await using server = await startHub({ metrics: { count } })
  using phone = new Phone(server.url, 's1', ['event:1'])
  using other = new Phone(server.url, 's2', ['event:1'])
  await Promise.all([phone.ready(), other.ready()])
  const overhead = encodePublication('event:1', '""', 1001).length - 2
  const texts = [125, 126, 65_535, 65_536].map((length) => 'x'.repeat(length - overhead)).concat('Ünïcödé 火')

  for (const text of texts) server.publish('event:1', text)

  await eventually(() => [phone.received, other.received]).toEqual([texts, texts])
  expect(count.mock.calls.filter(([what]) => what === 'published')).toHaveLength(texts.length)
  expect(count).toHaveBeenCalledWith('delivered', 2)
})

test('HUB-15 after a shutdown the client reconnects to a new hub by itself', async () => {
  const history = new MemoryHistory()
  const first = await startHub({ history })
  using phone = new Phone(first.url, 's1', ['event:1'])
  await phone.ready()

  await first.hub.close({ spreadMs: 50 })
  await eventually(() => phone.log).toContain('connecting 3001')
  await first[Symbol.asyncDispose]()
  await using second = await startHub({ history, port: first.port })

  await eventually(() => phone.log.at(-1)).toBe('subscribed recovered=true')
  expect(second.hub.counts().connections).toBe(1)
})

test('HUB-28 a disconnected client reconnects once its participation can be checked, and has missed nothing', async () => {
  const history = new MemoryHistory()
  let isAway = false
  const isRevoked = async () => {
    if (isAway) throw new Error('the database says nothing')
    return false
  }
  await using server = await startHub({ history, isRevoked })
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  isAway = true
  server.hub.disconnectAll(closeCodes.blind)
  await eventually(() => phone.log).toContain('connecting 3011')
  history.store('event:1', 'missed')
  expect(server.hub.counts().connections).toBe(0)
  isAway = false

  await eventually(() => phone.log.at(-1)).toBe('subscribed recovered=true')
  expect(phone.received).toEqual(['missed'])
})

test('HUB-16 a new subscription gets the current state; a recovered one only what it missed', async () => {
  const snapshot = vi.fn(async (channel: string) => (channel === 'warden:s1' ? '"snapshot"' : null))
  const history = new MemoryHistory()
  const first = await startHub({ history, snapshot })
  using phone = new Phone(first.url, 's1', ['event:1', 'warden:s1'])
  await phone.ready()
  await eventually(() => phone.received).toEqual(['snapshot'])

  await first[Symbol.asyncDispose]()
  history.store('warden:s1', 'missed')
  await using _second = await startHub({ history, snapshot, port: first.port })

  await eventually(() => phone.received).toEqual(['snapshot', 'missed'])
  expect(snapshot).toHaveBeenCalledTimes(2)
})

test('HUB-17 a new epoch makes every client start over', async () => {
  let epoch = 'first'
  await using server = await startHub({ epoch: () => epoch })
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  epoch = 'second'
  server.hub.invalidate()

  await eventually(() => phone.log.at(-1)).toBe('subscribed recovered=false')
  server.publish('event:1', 'live')
  await eventually(() => phone.received).toEqual(['live'])
})

test('HUB-17 a new epoch during a recovery makes that client start over too', async () => {
  let epoch = 'first'
  const history = new MemoryHistory()
  const first = await startHub({ history })
  using phone = new Phone(first.url, 's1', ['event:1'])
  await phone.ready()
  await first[Symbol.asyncDispose]()

  await using second = await startHub({ history, port: first.port, epoch: () => epoch })
  history.onRead = async () => {
    history.onRead = async () => {}
    epoch = 'second'
    second.hub.invalidate()
  }

  await eventually(() => phone.log.at(-1)).toBe('subscribed recovered=false')
  second.publish('event:1', 'live')
  await eventually(() => phone.received).toEqual(['live'])
})
