import type { ErrorBody, ErrorCode } from './errors.ts'
import type { CallContract, CallReply, GivenInput } from './route.ts'

/** What a call throws when the server turned it down, or (`unreachable`) could not be asked. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode | 'unreachable'
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly fields: readonly string[]
  constructor(code: ErrorCode | 'unreachable', message: string, status = 0, fields: readonly string[] = []) {
    super(message)
    this.code = code
    this.status = status
    this.fields = fields
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
export type Call = <C extends CallContract>(
  call: C,
  input: GivenInput<C>,
  options?: CallOptions,
) => Promise<CallReply<C>>

interface LooseInput {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
}

/** Path and query of a call, ready to send: parameters encoded, absent query values left out. */
export function urlOf(call: CallContract, { params = {}, query = {} }: LooseInput): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length ? `${path}?${new URLSearchParams(given)}` : path
}

/** One typed caller for browser, tests and benches; only the wire underneath differs. */
export function createCaller(wire: Wire): Call {
  return async (call, input, options = {}) => {
    const loose = input as LooseInput
    const { status, json } = await wire({ method: call.method, url: urlOf(call, loose), body: loose.body, ...options })
    if (status < 400) return json as CallReply<typeof call>
    const { error, message, fields } = json as ErrorBody
    throw new ApiError(error, message, status, fields)
  }
}
