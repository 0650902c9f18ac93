import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Phone, startHub, tokenFor } from './hub.fixture.ts'
import { RawSocket } from './raw-socket.fixture.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 5 })

test.for<[string, unknown[]]>([
  ['no JSON', ['{"id":1,']],
  ['no object', ['[1]']],
  ['a number', ['5']],
  ['null', ['null']],
  ['no id', [{ subscribe: { channel: 'event:1' } }]],
  ['a broken id', [{ id: -1, ping: {} }]],
  ['a channel that is not a text', [{ id: 2, subscribe: { channel: ['event:1'] } }]],
  ['an offset that is not a number', [{ id: 2, subscribe: { channel: 'event:1', recover: true, offset: '1' } }]],
  ['a second connect', [{ id: 2, connect: { token: '' } }]],
])('HUB-01 closed as a bad request: %s', async ([, commands]) => {
  await using server = await startHub()
  using socket = await RawSocket.connected(server.url, 's1', ['event:1'])

  socket.send(...commands)

  await eventually(() => socket.closed).toEqual({ code: 3501, reason: 'bad request' })
})

test('HUB-01 several commands in one message are answered in order, unknown ones with 104', async () => {
  await using server = await startHub()
  using socket = await RawSocket.open(server.url)
  const token = await tokenFor('s1', ['event:1'])

  const subscribe = { id: 2, subscribe: { channel: 'event:1' } }
  socket.send(
    { id: 1, connect: { token } },
    subscribe,
    { id: 3, rpc: {} },
    { ...subscribe, id: 4 },
    { id: 5, ping: {} },
  )

  await eventually(() => socket.messages.length).toBe(5)
  const replies = socket.messages.map((message) => JSON.parse(message))
  expect(replies.map(({ id, error }) => [id, error?.code])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, 104],
    [4, 105],
    [5, undefined],
  ])
})

test('HUB-01 a binary message is closed as a bad request', async () => {
  await using server = await startHub()
  using socket = await RawSocket.connected(server.url, 's1')

  socket.ws.send(Buffer.from('{"id":2,"ping":{}}'), { binary: true })

  await eventually(() => socket.closed?.code).toBe(3501)
})

test('HUB-02 no command is accepted before connect', async () => {
  await using server = await startHub()
  using socket = await RawSocket.open(server.url)

  socket.send({ id: 1, subscribe: { channel: 'event:1' } })

  await eventually(() => socket.closed?.code).toBe(3501)
  expect(socket.messages).toEqual([])
})

test('HUB-02 T12 a token in the address or in a header is ignored', async () => {
  await using server = await startHub()
  const token = await tokenFor('s1', ['event:1'])
  using socket = await RawSocket.open(`${server.url}?token=${token}`, { authorization: `Bearer ${token}` })

  socket.send({ id: 1, subscribe: { channel: 'event:1' } })

  await eventually(() => socket.closed?.code).toBe(3501)
  expect(server.hub.counts()).toEqual({ connections: 0, subscriptions: 0 })
})

test('HUB-02 a socket that does not connect in time is closed', async () => {
  await using server = await startHub({ connectSeconds: 0.5 })
  using silent = await RawSocket.open(server.url)
  using connected = await RawSocket.connected(server.url, 's1')

  await eventually(() => silent.closed?.reason).toBe('stale')
  expect(connected.closed).toBeNull()
})

test.for<[string, string | undefined, boolean]>([
  ['no origin', undefined, true],
  ['the host itself', 'http://evac.internal', true],
  ['the address of the app', 'https://evac.example', true],
  ['another site', 'https://evil.example', false],
  ['the app over plain http', 'http://evac.example', false],
  ['the host as the start of a name', 'http://evac.internal.evil.example', false],
  ['the app as the start of a name', 'https://evac.example.evil.example', false],
  ['an opaque origin', 'null', false],
])('HUB-07 origin: %s', async ([, origin, isLetIn]) => {
  await using server = await startHub({ allowedOrigins: ['https://evac.example'] })

  using socket = await RawSocket.open(server.url, { host: 'evac.internal', ...(origin && { origin }) })

  expect(socket.refused).toBe(isLetIn ? null : 'Unexpected server response: 403')
})

test('HUB-07 another path gets 404, a full hub answers 503', async () => {
  await using server = await startHub({ maxConnections: 1 })
  using elsewhere = await RawSocket.open(`${server.url}/more`)
  using _first = await RawSocket.open(`${server.url}?x=1`)

  using second = await RawSocket.open(server.url)

  expect([elsewhere.refused, second.refused]).toEqual([
    'Unexpected server response: 404',
    'Unexpected server response: 503',
  ])
})

test('HUB-07 while the database is away no one is let in and nothing is asked; the phone comes in by itself afterwards', async () => {
  let [isAway, asked] = [true, 0]
  const isRevoked = () => {
    asked += 1
    return false
  }
  await using server = await startHub({ isDatabaseAway: () => isAway, isRevoked })
  using phone = new Phone(server.url, 's1', ['event:e1'])
  using socket = await RawSocket.open(server.url)
  expect([socket.refused, asked]).toEqual(['Unexpected server response: 503', 0])

  isAway = false

  await phone.ready()
  expect(phone.client.state).toBe('connected')
})

test('HUB-08 a message of more than 16 kB closes the connection', async () => {
  await using server = await startHub()
  using socket = await RawSocket.connected(server.url, 's1')

  socket.send({ id: 2, ping: { padding: 'x'.repeat(17_000) } })

  await eventually(() => socket.closed?.code).toBe(1009)
})

test('HUB-08 a burst of commands is accepted, a flood is not', async () => {
  await using server = await startHub()
  using socket = await RawSocket.connected(server.url, 's1')

  for (let id = 2; id < 42; id++) socket.send({ id, ping: {} })
  await eventually(() => socket.messages.length).toBe(41)
  for (let id = 42; id < 142; id++) socket.send({ id, ping: {} })

  await eventually(() => socket.closed?.code).toBe(3013)
})

test('HUB-08 a reader that does not keep up is disconnected, the others lose nothing', async () => {
  await using server = await startHub({ maxBuffered: 64 * 1024 })
  using slow = await RawSocket.connected(server.url, 's1', ['event:1'])
  using quick = await RawSocket.connected(server.url, 's2', ['event:1'])
  for (const socket of [slow, quick]) socket.send({ id: 2, subscribe: { channel: 'event:1' } })
  await eventually(() => server.hub.counts().subscriptions).toBe(2)
  const tcp = (slow.ws as unknown as { _socket: Socket })._socket
  tcp.pause()

  let sent = 0
  for (let round = 0; round < 100 && server.hub.counts().connections === 2; round++) {
    for (let at = 0; at < 10; at++) server.publish('event:1', `${sent++} ${'x'.repeat(50_000)}`)
    await eventually(() => quick.messages.length).toBe(2 + sent)
  }

  expect(server.hub.counts()).toEqual({ connections: 1, subscriptions: 1 })
  tcp.resume()
  await eventually(() => slow.closed).not.toBeNull()
  expect(slow.messages.length).toBeLessThan(quick.messages.length)
})
