import { urlOf } from '#kernel/client/client.ts'
import type { Policy } from '#kernel/route.ts'
import type { ModuleFlag } from '#kernel/vocabulary.ts'
import { contractCalls, type NamedCall } from '../../testing/contract-calls.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { type CallInputs, callInputs } from './call-inputs.fixture.ts'

export const calls = await contractCalls()
/** The calls of wardens. */
export const signedInCalls = calls.filter(({ policy }) => policy.access === 'session' || policy.access === 'duty')
/** The calls of wardens that administrators make, too (AAR-01). */
export const sharedCalls = signedInCalls.filter(({ policy }) => policy.access === 'session' && policy.orConsole)
/** The calls of administrators. */
export const consoleCalls = calls.filter(({ policy }) => policy.access === 'console')

/** The call's row in the table of inputs. Throws if it has none. */
export function inputsOf({ name }: Pick<NamedCall, 'name'>): CallInputs {
  const inputs = callInputs[name]
  if (!inputs)
    throw new Error(`${name} has no row in call-inputs.fixture.ts: add its input and what the input's fields name`)
  return inputs
}

/** The server's reply: the status, the error code if there is one, and the raw body. */
export interface Answer {
  status: number
  code: string
  text: string
}

export async function ask(
  { app }: Pick<TestServer, 'app'>,
  call: NamedCall,
  inputs: CallInputs,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { status, text } = await send(app, call, inputs, headers)
  const error = status < 400 ? undefined : (JSON.parse(text) as { error: string }).error
  return { status, text, code: error ? `${status} ${error}` : `${status}` }
}

async function send(app: TestServer['app'], call: NamedCall, { params, query, body }: CallInputs, headers: object) {
  const response = await app.inject({
    method: call.method,
    url: urlOf(call, { params: params as Record<string, string>, query: query as Record<string, string> }),
    headers: { ...headers },
    ...(body !== undefined && { payload: body as object }),
  })
  return { status: response.statusCode, text: response.body }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Makes the call with an input that changes nothing for anyone: beyond the policy, the input is rejected. */
export function tryCall(server: Pick<TestServer, 'app'>, call: NamedCall, headers: Record<string, string> = {}) {
  const names = call.path.match(/:\w+/g) ?? []
  const params = Object.fromEntries(names.map((name) => [name.slice(1), 'x']))
  const body = call.method === 'POST' ? {} : undefined
  return ask(server, call, { params, body }, { 'idempotency-key': 'x'.repeat(201), ...headers })
}

/** The properties of an asker that a policy checks. */
export interface Standing {
  isSignedIn: boolean
  /** The assignment is accepted and in date, or was when its warden went on duty. */
  counts: boolean
  inEvent: boolean
  onDuty: boolean
  flags: readonly ModuleFlag[]
}

export const letThrough = 'let through'

/** What a policy means for an asker. Written independently of the guard, so that each verifies the other. */
export function expectedAt(policy: Policy, { isSignedIn, counts, inEvent, onDuty, flags }: Standing): string {
  if (policy.access === 'public') return policy.signed ? '403 forbidden' : letThrough
  // a warden is no one here, whatever the modules (ORG-14)
  if (!isSignedIn || policy.access === 'console') return '401 not_signed_in'
  if (policy.access === 'observer') return '401 not_signed_in'
  if (policy.flag && !(counts && flags.includes(policy.flag))) return '403 forbidden'
  if (policy.access === 'session' || policy.withoutEvent === 'answer') return letThrough
  if (!inEvent) return '409 no_event'
  return counts && onDuty ? letThrough : '409 not_on_duty'
}

const rejections = new Set(['401 not_signed_in', '403 forbidden', '409 no_event', '409 not_on_duty'])

/** The answer in the words of `expectedAt`. A server error does not count as let through. */
export const seenAt = ({ code, status }: Answer) => (rejections.has(code) || status >= 500 ? code : letThrough)
