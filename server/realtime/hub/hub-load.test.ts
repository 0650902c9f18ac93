import { expect, test } from 'vitest'
import { MemoryHistory, Phone, startHub } from './hub.fixture.ts'
import { RawSocket } from './raw-socket.fixture.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 5 })
const codesOf = (sockets: readonly RawSocket[]) => sockets.map(({ closed }) => closed?.code)

async function openSockets(url: string, count: number, sessionOf: (n: number) => string) {
  const sockets: RawSocket[] = []
  for (let n = 0; n < count; n++) sockets.push(await RawSocket.connected(url, 's1', ['event:1'], sessionOf(n)))
  return sockets
}

test("HUB-34 T31 a session's ninth socket is accepted and closes the session's oldest one", async () => {
  await using server = await startHub()
  const sockets = await openSockets(server.url, 10, () => 'one session')

  await eventually(() => codesOf(sockets)).toEqual([3504, 3504, ...Array(8).fill(undefined)])
  expect(server.hub.counts().connections).toBe(8)
  for (const { ws } of sockets) ws.terminate()
})

test('HUB-34 T31 a participation has at most sixteen sockets over all its sessions; others are not affected', async () => {
  await using server = await startHub()
  using other = await RawSocket.connected(server.url, 's2')
  const sockets = await openSockets(server.url, 18, (n) => `session ${n % 6}`)

  await eventually(() => codesOf(sockets)).toEqual([3504, 3504, ...Array(16).fill(undefined)])
  expect(other.closed).toBeNull()
  for (const { ws } of sockets) ws.terminate()
})

test('HUB-34 a phone is accepted even if all its old sockets seem open', async () => {
  await using server = await startHub()
  const dead = await openSockets(server.url, 8, () => 'session of s1')
  for (const { ws } of dead) ws.pause()

  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()
  server.publish('event:1', 'news')

  await eventually(() => phone.received).toEqual(['news'])
  for (const { ws } of dead) ws.terminate()
})

test('HUB-35 T31 a session reads the journal once at a time over all its sockets; other sessions do not wait', async () => {
  const history = new MemoryHistory()
  await using server = await startHub({ history })
  const channel = 'event:1'
  const mine = await openSockets(server.url, 4, () => 'one session')
  using other = await RawSocket.connected(server.url, 's2', [channel])
  for (const socket of [...mine, other]) await socket.ask(2, { subscribe: { channel } })
  const hold = Promise.withResolvers<void>()
  const reads: string[] = []
  history.onRead = () => {
    reads.push('read')
    return reads.length === 1 ? hold.promise : Promise.resolve()
  }

  for (const socket of mine) socket.send({ id: 3, history: { channel, limit: 10 } })
  await eventually(() => reads.length).toBe(1)
  const answer = await other.ask(3, { history: { channel, limit: 10 } })

  expect(answer.history).toBeDefined()
  expect(reads).toHaveLength(2)
  hold.resolve()
  await eventually(() => reads.length).toBe(5)
  for (const { ws } of mine) ws.terminate()
})

test('HUB-35 T31 a client that keeps requesting the history gets 111, and its live feed continues', async () => {
  const history = new MemoryHistory()
  await using server = await startHub({ history })
  const channel = 'event:1'
  for (let n = 0; n < 600; n++) history.store(channel, n)
  using socket = await RawSocket.connected(server.url, 's1', [channel])
  await socket.ask(2, { subscribe: { channel } })
  let reads = 0
  history.onRead = async () => void reads++

  const answers = []
  for (let id = 3; id < 23; id++) answers.push(await socket.ask(id, { history: { channel, limit: 500 } }))
  server.publish(channel, 'news')

  expect(answers.at(0)).toHaveProperty('history')
  expect(answers.at(-1)).toMatchObject({ error: { code: 111, temporary: true } })
  expect(reads).toBeLessThan(6)
  await eventually(() => socket.messages.at(-1)).toContain('news')
})

test('HUB-35 T31 a client that keeps connecting and recovering is disconnected before the database is asked', async () => {
  const history = new MemoryHistory()
  let questions = 0
  const isRevoked = () => {
    questions += 1
    return false
  }
  await using server = await startHub({ history, isRevoked })
  const [channel, session] = ['event:1', 'one session']
  for (let n = 0; n < 600; n++) history.store(channel, n)
  let reads = 0
  history.onRead = async () => void reads++

  const codes: (number | undefined)[] = []
  for (let n = 0; n < 40; n++) {
    using socket = await RawSocket.connected(server.url, 's1', [channel], session)
    codes.push(socket.closed?.code)
    if (!socket.closed) await socket.ask(2, { subscribe: { channel, recover: true, epoch: 'first', offset: 1 } })
  }
  using honest = await RawSocket.connected(server.url, 's1', [channel], 'another session')

  expect(codes.at(0)).toBeUndefined()
  expect(codes.at(-1)).toBe(3013)
  expect(reads).toBeLessThan(6)
  expect(questions).toBeLessThan(30)
  expect(honest.closed).toBeNull()
})
