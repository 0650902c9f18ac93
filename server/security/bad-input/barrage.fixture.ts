import { errorCodes } from '#kernel/errors.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { calls } from '../authorisation/ask.fixture.ts'
import { everyModule, givenOnDuty } from '../authorisation/on-duty.fixture.ts'
import { givenAddresses } from '../authorisation/strange-addresses.fixture.ts'
import { Random } from './random.fixture.ts'
import { askRaw, bytesOf, type RawAnswer } from './raw-ask.fixture.ts'
import { readBack } from './read-back.fixture.ts'
import { pages, spoiltForm } from './spoilt-forms.fixture.ts'
import { hardRequest, type RawRequest, spoiltRequest } from './spoilt-requests.fixture.ts'

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
  /** Those of pages without script. They are counted above, too. */
  ofPages: Record<number, number>
}

/** New people and a new event after this many requests, because successful ones change the state of the old ones. */
const perWorld = 2000
const atOnce = 8
/** Requests to pages without script. */
const shareOfPages = 0.1
/** Of requests to calls: those that are valid, but for one value. */
const shareOfHard = 0.4

/** Sends this many malformed requests over real connections and collects every wrong answer. */
export async function barrage(server: TestServer, port: number, seed: number, count: number): Promise<Barrage> {
  const result: Barrage = { finds: [], statuses: {}, ofPages: {} }
  for (let first = 0; first < count; first += perWorld) {
    const onDutyFor = await givenOnDuty(server, everyModule)
    // in its event no one makes a new code of the poster
    const { own: apart } = onDutyFor('handleReport')
    const event = { eventUid: `${apart.managedEvent}`, personUid: `${apart.evacuee}` }
    const addresses = await givenAddresses(server, event)
    const waiting = Array.from({ length: Math.min(perWorld, count - first) }, (_, index) => first + index)
    const sender = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) await sendOne(number)
    }
    await Promise.all(Array.from({ length: atOnce }, sender))
    if (count > perWorld)
      for (const fault of await readBack(server, onDutyFor))
        result.finds.push({ seed, number: first + perWorld, call: 'read back', fault, request: '' })

    async function sendOne(number: number) {
      const random = new Random(seed * 1_000_003 + number)
      const page = random.chance(shareOfPages) ? random.pick(pages) : undefined
      const { name, request } = page ? ofPage(page, random) : ofCall(random)
      if (page) await forgetCounts(server)
      const bytes = bytesOf(request)
      const answer = await askRaw(port, bytes).catch((error: Error) => error)
      const fault = answer instanceof Error ? answer.message : (page ? faultInPage : faultIn)(answer, request)
      const status = answer instanceof Error ? 0 : answer.status
      for (const counted of page ? [result.statuses, result.ofPages] : [result.statuses])
        counted[status] = (counted[status] ?? 0) + 1
      if (fault)
        result.finds.push({ seed, number, call: name, fault, request: bytes.toString('latin1').slice(0, 1500) })
    }
    function ofCall(random: Random) {
      const call = random.pick(calls)
      const { own, token } = onDutyFor(call.policy.access === 'public' ? 'getProfile' : call.name)
      const make = random.chance(shareOfHard) ? hardRequest : spoiltRequest
      return { name: call.name, request: make(call, random, own, token) }
    }
    function ofPage(page: (typeof pages)[number], random: Random) {
      return { name: page.name, request: spoiltForm(page, random, apart, addresses) }
    }
  }
  return result
}

/** A network may send few reports and try few addresses a minute: without this nearly all answers would be 429. */
const forgetCounts = ({ db }: TestServer) =>
  db
    .deleteFrom('throttle')
    .where((eb) => eb.or(['address/%', 'poster/%', 'self/%'].map((key) => eb('key', 'like', key))))
    .execute()

/** The same of a page: HTML that quotes nothing as it was sent, or the address of another page. */
function faultInPage(answer: RawAnswer, request: RawRequest): string | undefined {
  const { status, type, body } = answer
  if (status === 303) return undefined
  if (!type.startsWith('text/html') || status >= 500) return faultIn(answer, request)
  if (/<script|\0/.test(body)) return `${status} with what was sent: ${body.slice(0, 300)}`
  return request.method === 'HEAD' || /^<!doctype html>/i.test(body)
    ? undefined
    : `${status} that is no page: ${body.slice(0, 300)}`
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
