import { beforeEach, vi } from 'vitest'
import { type ErrorBody, type ErrorCode, errorStatus } from '#kernel/errors.ts'
import type { CallContract, CallInput, CallReply } from '#kernel/route.ts'

/** What a call brought, read back through its contract. */
export interface Received<C extends CallContract = CallContract> {
  input: CallInput<C>
  url: string
  headers: Headers
  signal: AbortSignal | undefined
}
class Refused {
  readonly code: ErrorCode
  readonly message: string
  readonly more: Pick<ErrorBody, 'problems' | 'address'>
  constructor(code: ErrorCode, message: string, more: Refused['more']) {
    this.code = code
    this.message = message
    this.more = more
  }
}
/** The server turns the call down, under the status the contract gives that code. */
export const refused = (code: ErrorCode, message: string = code, problems?: ErrorBody['problems'], address?: string) =>
  new Refused(code, message, {
    ...(problems && { problems }),
    ...(address !== undefined && { address }),
  })
/** No answer comes back: no signal, or the server is away. */
export const cutOff = { answer: 'cut off' } as const

type Answer<C extends CallContract> = CallReply<C> | Refused | typeof cutOff
type Handler<C extends CallContract> = (request: Received<C>) => Answer<C> | Promise<Answer<C>>

let unanswered: string[] = []
/** Calls without an answer since the last time; a test that makes one fails. */
export function takeUnanswered(): string[] {
  const taken = unanswered
  unanswered = []
  return taken
}

/** Takes the place of `fetch` for one test. Answers are typed by the contract, so a fake cannot drift from the server. */
export function fakeServer() {
  const handlers = new Map<CallContract, Handler<never>>()
  const log: { call: CallContract; request: Received }[] = []

  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const hit = [...handlers].find(([call]) => matches(call, init.method ?? 'GET', url))
    if (!hit) {
      unanswered.push(`${init.method} ${url}`)
      throw new TypeError('Failed to fetch')
    }
    const [call, handler] = hit
    const request = received(call, url, init)
    log.push({ call, request })
    const answer = await abortable(Promise.resolve(handler(request as never)), init.signal)
    if (answer === cutOff) throw new TypeError('Failed to fetch')
    if (answer instanceof Refused) {
      const { code, message, more } = answer
      return Response.json({ error: code, message, ...more }, { status: errorStatus[code] })
    }
    return Response.json(answer)
  })

  return {
    /** Sets or replaces the answer of a call: a value, or a function of what was sent. */
    answer<C extends CallContract>(call: C, answer: Answer<NoInfer<C>> | Handler<NoInfer<C>>) {
      handlers.set(call, (typeof answer === 'function' ? answer : () => answer) as Handler<never>)
    },
    /** What a call has brought so far, oldest first. */
    received: <C extends CallContract>(call: C) =>
      log.filter((entry) => entry.call === call).map((entry) => entry.request as Received<C>),
  }
}
export type FakeServer = ReturnType<typeof fakeServer>

/** For each test of a file a server of its own. */
export function serverForEachTest(): FakeServer {
  let current: FakeServer
  beforeEach(() => {
    current = fakeServer()
  })
  return { answer: (call, given) => current.answer(call, given), received: (call) => current.received(call) }
}

const pathOf = (url: string) => url.split('?')[0] ?? ''
const pattern = (call: CallContract) => new RegExp(`^${call.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
const matches = (call: CallContract, method: string, url: string) =>
  call.method === method && pattern(call).test(pathOf(url))

function received(call: CallContract, url: string, init: RequestInit): Received {
  const params = { ...pattern(call).exec(pathOf(url))?.groups }
  const query = Object.fromEntries(new URLSearchParams(url.split('?')[1]))
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
  const input = { params, query, body } as unknown as Received['input']
  return { input, url, headers: new Headers(init.headers), signal: init.signal ?? undefined }
}

/** Like the real fetch: gives up at once when the caller does. */
function abortable<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const stop = () => reject(new DOMException('The call was aborted', 'AbortError'))
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
    }),
  ])
}
