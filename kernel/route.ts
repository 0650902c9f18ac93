import type { Static, TObject, TSchema } from 'typebox'
import type { ConsoleRight } from './console-kinds.ts'
import type { ErrorCode } from './errors.ts'
import type { ModuleFlag } from './vocabulary.ts'

/**
 * Who may make a call. A route without a policy does not boot.
 * - `public`: anyone. With `signed`, only requests with a valid signature (a provider's servers). Otherwise 403.
 * - `session`: a valid access token. With `flag`, the current role must have that module. With `orConsole`, or a
 *   valid console token with that right.
 * - `duty`: a valid token, the flag, and on duty in the active event. Without an event the call
 *   is refused (`refuse`) or returns its own no-event body with 200 (`answer`).
 * - `observer`: the token of an observer's link, `Authorization: Observer {token}`.
 * - `console`: a valid console token with the right. With `confirmed`, only within ten minutes of a code.
 *   With `poll`, the request does not count as use: a screen that is left open ends after an hour.
 */
export type Policy =
  | { access: 'public'; signed?: true }
  | SessionPolicy
  | { access: 'duty'; flag?: ModuleFlag; withoutEvent: 'refuse' | 'answer' }
  | { access: 'observer'; flag?: never }
  | ConsolePolicy

export interface SessionPolicy {
  access: 'session'
  flag?: ModuleFlag
  orConsole?: ConsoleRight
}

export interface ConsolePolicy {
  access: 'console'
  right: ConsoleRight | 'any'
  confirmed?: true
  poll?: true
  /** Modules are of wardens. */
  flag?: never
}

export interface CallContract {
  /** What the call does and where it is specified, in one line. Shown as the OpenAPI summary. */
  summary: string
  method: 'GET' | 'POST' | 'DELETE'
  /** The full path with `/api`. Parameters are written `:name`. */
  path: `/api/${string}`
  params?: TObject
  query?: TObject
  body?: TSchema
  /** In place of JSON: a body of any content (`application/octet-stream`) of at most so many bytes. */
  bytes?: number
  reply: TSchema
  policy: Policy
  /** Possible refusals besides 401, 422 and 500. */
  refusals?: readonly ErrorCode[]
  /** Requests per minute that one address may make to this call. Default: the server's limit. */
  perMinute?: number
  /** For calls before sign-in. A whole site shares one address, so addresses take turns instead of being limited. */
  countedByAddress?: false
}

/** One object per API call, read by the server's route, the browser's caller, tests, benches and OpenAPI. */
export function defineCall<const C extends CallContract>(call: C): C {
  return call
}

type Part<C, K extends string> = C extends { [P in K]: TSchema } ? { [P in K]: Static<C[P]> } : unknown
export type CallInput<C extends CallContract> = Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>
/** The input of a call. A query may be omitted if all of its parts are optional. */
export type GivenInput<C extends CallContract> = Part<C, 'params'> & GivenQuery<Part<C, 'query'>> & Part<C, 'body'>
type GivenQuery<Q> = Q extends { query: infer Query } ? (object extends Query ? { query?: Query } : Q) : unknown
export type CallReply<C extends CallContract> = Static<C['reply']>
/** The reply that a server builds: exactly one member of a union, so that a missing field does not compile. */
export type CallAnswer<C extends CallContract> = OneOf<CallReply<C>>
type OneOf<U, All = U> = U extends object ? U & { [K in Exclude<KeysOf<All>, keyof U>]?: undefined } : U
type KeysOf<U> = U extends unknown ? keyof U : never
