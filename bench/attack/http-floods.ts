import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { listWardensOnDuty } from '#features/duty/calls/attendance.ts'
import { getFloorData, searchOccupants, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getFloorOverview, searchEventPeople } from '#features/evacuation/calls/floor-overview.ts'
import { filterEvacuees, getSafetyData } from '#features/evacuation/calls/safety.ts'
import { login, verifyLoginReportIn } from '#features/sign-in/calls/sign-in.ts'
import { urlOf } from '#kernel/client/client.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import type { CallContract } from '#kernel/route.ts'
import { type Attack, loops, type Target } from './target.ts'

interface Shot {
  call: CallContract
  input?: object
  body?: string
  headers?: Record<string, string>
  isStranger?: boolean
}

const connections = 40

/** Sends requests on 40 connections. Each connection sends the next as soon as the last was answered. */
const flood =
  (make: (target: Target, n: number) => Shot, localAddress?: string): Attack =>
  async (target, life, tell) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    let n = 0
    await loops(connections, life, async () => tell(await send(agent, target, make(target, n++), localAddress)))
    agent.destroy()
  }

async function send(agent: Agent, { url, token }: Target, shot: Shot, localAddress?: string) {
  const { promise, resolve } = Promise.withResolvers<string | number>()
  const asked = request(url + urlOf(shot.call, shot.input ?? {}), {
    agent,
    method: shot.call.method,
    headers: {
      'content-type': 'application/json',
      ...(!shot.isStranger && { authorization: `Bearer ${token}` }),
      ...(shot.body && { 'content-length': Buffer.byteLength(shot.body) }),
      ...shot.headers,
    },
    ...(localAddress && { localAddress }),
  })
  asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)))
  asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
  asked.on('close', () => resolve('cut off'))
  asked.end(shot.body)
  const outcome = await promise
  if (typeof outcome === 'string') await delay(10)
  return outcome
}

const body = (value: unknown) => JSON.stringify(value)
const unknownKeys = body(Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`key${i}`, i % 10])))
const manyFloors = body({ ...defaultFilters, floors: Array.from({ length: 2_400 }, () => randomUUID()) })
const deep = '['.repeat(40_000) + ']'.repeat(40_000)
const large = body({ token: 'x'.repeat(95_000) })
const patterns = ['%_'.repeat(50), '_'.repeat(100), 'a%'.repeat(50), '\\%'.repeat(50), 'an be co '.repeat(11)]

const statusOf = ({ personUid, floorUid }: Target, n: number) =>
  body({ personId: personUid, floorId: floorUid, status: n % 2 ? 'unknown' : 'safe on floor' })

const costliest: ((target: Target) => Shot)[] = [
  () => ({ call: listWardensOnDuty }),
  () => ({ call: getSafetyData, body: 'null' }),
  () => ({ call: getFloorData }),
  () => ({ call: getFloorOverview }),
]

export const httpFloods: Record<string, Attack> = {
  'bodies of 89 kB with unknown keys': flood(() => ({ call: setPersonStatus, body: unknownKeys })),
  'arrays of 2,400 elements': flood(() => ({ call: filterEvacuees, body: manyFloors })),
  'JSON 40,000 levels deep, without a session': flood((_, n) =>
    n % 2 ? { call: login, body: deep, isStranger: true } : { call: setPersonStatus, body: deep, isStranger: true },
  ),
  'bodies of 95 kB, without a session': flood(() => ({ call: verifyLoginReportIn, body: large, isStranger: true })),
  'made-up tokens': flood(() => ({
    call: getFloorData,
    headers: { authorization: `Bearer ${randomBytes(32).toString('base64url')}` },
  })),
  'the costliest reads of one warden': flood((target, n) => costliest[n % costliest.length]?.(target) as Shot),
  'new idempotency keys of one warden': flood((target, n) => ({
    call: setPersonStatus,
    body: statusOf(target, n),
    headers: { 'idempotency-key': randomBytes(75).toString('base64url') },
  })),
  'searches with the worst patterns': flood((_, n) => ({
    call: n % 2 ? searchOccupants : searchEventPeople,
    input: { params: { text: patterns[n % patterns.length] } },
  })),
  'wrong passwords from another network (argon2)': flood(
    () => ({
      call: login,
      body: body({ email: `${randomUUID()}@elsewhere.test`, password: 'a wrong password' }),
      isStranger: true,
    }),
    '127.0.0.2',
  ),
  'slow bodies on 400 connections': async ({ url }, life, tell) => {
    const head = `POST ${login.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
    await loops(400, life, () => drip(url, head, life, tell))
  },
  '600 connections, opened again and again': async ({ url }, life, tell) => {
    await loops(600, life, () => knock(url, tell))
  },
}

/** Sends one byte every 100 ms for as long as the server waits. */
async function drip(url: string, head: string, life: AbortSignal, tell: Parameters<Attack>[2]) {
  const socket = openTo(url, tell)
  socket.write(head)
  const timer = setInterval(() => socket.write(' '), 100)
  await Promise.race([closed(socket), aborted(life)])
  clearInterval(timer)
  socket.destroy()
}

/** Opens a connection, asks for a page that does not exist, and closes. */
async function knock(url: string, tell: Parameters<Attack>[2]) {
  const socket = openTo(url, tell)
  socket.write('GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n')
  await delay(500)
  socket.destroy()
}

export function openTo(url: string, tell: Parameters<Attack>[2]) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', (error: NodeJS.ErrnoException) => tell(error.code ?? 'error'))
  socket.once('data', (data) => tell(Number(String(data).slice(9, 12))))
  return socket
}

export const closed = (socket: NodeJS.EventEmitter) => new Promise((done) => socket.once('close', done))
export const aborted = (life: AbortSignal) =>
  new Promise((done) => life.addEventListener('abort', done, { once: true }))
