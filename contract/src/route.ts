import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { ModuleFlag } from './vocabulary.ts'

/**
 * Who may make a call. A route without a policy does not boot.
 * - `public`: anybody; with `signed`, whoever can sign the request as agreed (a provider's servers). Without the right
 *   signature: 403.
 * - `session`: a live access token; with `flag`, the current role must carry that module (AMB-044).
 * - `duty`: a live token, the flag, and on duty in the active event (AMB-149). Without an event the call
 *   is refused (`refuse`) or answers its own no-event body with 200 (`answer`).
 */
export type Policy =
  | { access: 'public'; signed?: true }
  | { access: 'session'; flag?: ModuleFlag }
  | { access: 'duty'; flag?: ModuleFlag; withoutEvent: 'refuse' | 'answer' }

export interface CallContract {
  /** One line: what it does and where it is specified. Becomes the OpenAPI summary. */
  summary: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Whole path with the `/api` base; parameters as `:name`. */
  path: `/api/${string}`
  params?: TObject
  query?: TObject
  body?: TSchema
  reply: TSchema
  policy: Policy
  /** The refusals a caller should expect besides 401, 422 and 500. */
  refusals?: readonly ErrorCode[]
  /** Requests a client address may make to this call per minute; the server's default holds when absent. */
  perMinute?: number
  /** Made before anybody is known, and a whole site stands behind one address: addresses take turns instead. */
  countedByAddress?: false
}

/** One object per API call: the server's route, the browser's caller, tests, benches and OpenAPI all read it. */
export function defineCall<const C extends CallContract>(call: C): C {
  return call
}

type Part<C, K extends string> = C extends { [P in K]: TSchema } ? { [P in K]: Static<C[P]> } : unknown
export type CallInput<C extends CallContract> = Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>
/** What a caller gives: a query whose parts are all optional may be left out. */
export type GivenInput<C extends CallContract> = Part<C, 'params'> & GivenQuery<Part<C, 'query'>> & Part<C, 'body'>
type GivenQuery<Q> = Q extends { query: infer Query } ? (object extends Query ? { query?: Query } : Q) : unknown
export type CallReply<C extends CallContract> = Static<C['reply']>
/** What a server answers: of a union one member whole, so that none stands in for another that lacks a field. */
export type CallAnswer<C extends CallContract> = OneOf<CallReply<C>>
type OneOf<U, All = U> = U extends object ? U & { [K in Exclude<KeysOf<All>, keyof U>]?: undefined } : U
type KeysOf<U> = U extends unknown ? keyof U : never
