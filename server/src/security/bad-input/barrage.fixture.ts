import { errorCodes } from '@evac/contract/errors.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { calls } from '../authorisation/ask.fixture.ts'
import { everyModule, givenOnDuty } from '../authorisation/on-duty.fixture.ts'
import { Random } from './random.fixture.ts'
import { askRaw, bytesOf, type RawAnswer } from './raw-ask.fixture.ts'
import { type RawRequest, spoiltRequest } from './spoilt-requests.fixture.ts'

export interface Find {
  /** Seed of the run and number of the request. Together they reproduce it. */
  seed: number
  number: number
  call: string
  fault: string
  request: string
}

export interface Barrage {
  finds: Find[]
  /** Number of answers by status. */
  statuses: Record<number, number>
}

/** New people and a new event after this many requests, because successful ones change the state of the old ones. */
const perWorld = 2000
const atOnce = 8

/** Sends this many malformed requests over real connections and collects every wrong answer. */
export async function barrage(server: TestServer, port: number, seed: number, count: number): Promise<Barrage> {
  const result: Barrage = { finds: [], statuses: {} }
  for (let first = 0; first < count; first += perWorld) {
    const onDutyFor = await givenOnDuty(server, everyModule)
    const waiting = Array.from({ length: Math.min(perWorld, count - first) }, (_, index) => first + index)
    const sender = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) await sendOne(number)
    }
    await Promise.all(Array.from({ length: atOnce }, sender))

    async function sendOne(number: number) {
      const random = new Random(seed * 1_000_003 + number)
      const call = random.pick(calls)
      const { own, token } = onDutyFor(call.policy.access === 'public' ? 'getProfile' : call.name)
      const request = spoiltRequest(call, random, own, token)
      const bytes = bytesOf(request)
      const answer = await askRaw(port, bytes).catch((error: Error) => error)
      const fault = answer instanceof Error ? answer.message : faultIn(answer, request)
      const status = answer instanceof Error ? 0 : answer.status
      result.statuses[status] = (result.statuses[status] ?? 0) + 1
      if (fault)
        result.finds.push({ seed, number, call: call.name, fault, request: bytes.toString('latin1').slice(0, 1500) })
    }
  }
  return result
}

/**
 * What is wrong with an answer. Rejections are `{error, message}` below 500; everything else must be the call's reply.
 */
function faultIn({ status, type, body }: RawAnswer, { method }: RawRequest): string | undefined {
  if (status === 0 && method === 'CONNECT') return undefined
  if (status === 0 || status >= 500) return `${status}: ${body.slice(0, 300)}`
  if (method === 'HEAD') return undefined
  if (status < 300)
    return type.includes('json') && !isJson(body) ? `${status} that is not JSON: ${body.slice(0, 300)}` : undefined
  return isRefusal(body) ? undefined : `${status} without error and message: ${type} ${body.slice(0, 300)}`
}

function isRefusal(body: string): boolean {
  if (!isJson(body)) return false
  const { error, message } = JSON.parse(body)
  return errorCodes.includes(error) && typeof message === 'string'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
