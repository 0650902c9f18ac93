import type { CallName, Calls } from '#features/calls.ts'
import type { ErrorBody, ErrorCode } from '../errors.ts'
import type { CallContract, CallReply, GivenInput } from '../route.ts'

/** Thrown by a call that the server rejects, or (`unreachable`) that gets no answer. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode | 'unreachable'
  /** HTTP status, or 0 without an answer. */
  readonly status: number
  readonly fields: readonly string[]
  /** What is wrong with which field of a form of the console. */
  readonly problems: NonNullable<ErrorBody['problems']>
  /** Seconds after which a server with too much to do wants to be asked again. */
  readonly retryAfter: number | undefined
  /** Where to go instead, without a path. */
  readonly address: string | undefined
  constructor(
    code: ErrorCode | 'unreachable',
    message: string,
    status = 0,
    {
      fields = [],
      problems = [],
      retry_after,
      address,
    }: Pick<ErrorBody, 'fields' | 'problems' | 'retry_after' | 'address'> = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.fields = fields
    this.problems = problems
    this.retryAfter = retry_after
    this.address = address
  }
}

/** Per-call extras that are not part of the contract: cancellation and write headers. */
export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
}
export interface WireRequest extends CallOptions {
  method: CallContract['method']
  url: string
  body: unknown
}
export type Wire = (request: WireRequest) => Promise<{ status: number; json: unknown }>
export interface Call {
  <C extends CallContract>(call: C, input: GivenInput<C>, options?: CallOptions): Promise<CallReply<C>>
  /** A call by name, such as 'GET /api/user', which loads no schema. */
  <N extends CallName>(name: N, input: GivenInput<Calls[N]>, options?: CallOptions): Promise<CallReply<Calls[N]>>
}

interface LooseInput {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
}

/** Path and query of a call, with parameters encoded and without absent query values. */
export function urlOf({ path: pattern }: Pick<CallContract, 'path'>, { params = {}, query = {} }: LooseInput): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length ? `${path}?${new URLSearchParams(given)}` : path
}

function addressOf(name: CallName) {
  const [method, path] = name.split(' ')
  return { method, path } as Pick<CallContract, 'method' | 'path'>
}
export const pathOf = (name: CallName) => addressOf(name).path

/** A typed caller for browser, tests and benches, which differ only in `send`. Throws ApiError. */
export function createCaller(wire: Wire): Call {
  return async (call: CallContract | CallName, input: unknown, options: CallOptions = {}) => {
    const address = typeof call === 'string' ? addressOf(call) : call
    const given = input as LooseInput
    const url = urlOf(address, given)
    const { status, json } = await wire({ method: address.method, url, body: given.body, ...options })
    if (status < 400) return json as never
    const { error, message, ...more } = json as ErrorBody
    throw new ApiError(error, message, status, more)
  }
}

/** The same caller with `wrap` around each call. `wrap` gets the function that sends, and the options of the call. */
export function wrapCaller(
  call: () => Call,
  wrap: (send: () => Promise<never>, options: CallOptions) => Promise<never>,
): Call {
  return (name: CallContract | CallName, input: unknown, options: CallOptions = {}) =>
    wrap(() => call()(name as CallContract, input as never, options) as Promise<never>, options)
}
