import type { AddressInfo } from 'node:net'
import { codeOf, givenAdministrator } from '../../testing/administrators.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { testPassword } from '../../testing/given-wardens.ts'
import { startTestServer, testConfig } from '../../testing/test-server.ts'
import { ask, bearer, calls } from '../authorisation/ask.fixture.ts'
import type { CallInputs } from '../authorisation/call-inputs.fixture.ts'
import { everyModule, givenOnDuty } from '../authorisation/on-duty.fixture.ts'
import { asFormSends, ownFor } from './console-inputs.fixture.ts'
import { forgetWrites } from './forgotten-writes.fixture.ts'
import { type Kind, mark, requestText, wholeInput } from './marked-requests.fixture.ts'

/** Asker of a call without one. */
const anybody = 'getProfile'

/**
 * The app with its pages on a port, behind one proxy that names the sender. Has an asker for each call who may make it. What
 * a request writes is forgotten, so that it can be repeated.
 */
export async function startScanServer() {
  const writes = forgetWrites()
  const server = await startTestServer({ config: { ...testConfig, trustedProxies: 1 } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const host = `127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const onDutyFor = await givenOnDuty(server, everyModule)
  const org = await server.given.organisation()
  const administrator = await givenAdministrator(server, org)
  const newcomer = await givenAdministrator(server, org, { isNew: true })
  // an event can be started where none runs
  const starter = onDutyFor('createEvent')
  await ask(server, callNamed('endEvent'), wholeInput(callNamed('endEvent'), starter.own), bearer(starter.token))
  writes.begin()

  /** What follows the password of an administrator with a second factor, or without one (ORG-20, ORG-21). */
  async function ticketOf({ email }: { email: string }): Promise<string> {
    const input = { body: { name: email, password: testPassword } }
    const { ticket } = JSON.parse((await ask(server, callNamed('signInToConsole'), input)).text) as { ticket: string }
    return ticket
  }

  async function inputFor({ name, ...call }: NamedCall, as: string): Promise<CallInputs> {
    const { own: given, token } = onDutyFor(as)
    const own = ownFor(name, given)
    const input = wholeInput({ name, ...call }, own)
    // an existing account with the right password, because only that reaches all of the call's code
    if (name === 'login') return { body: { email: own.ownEmail, password: testPassword } }
    if (name === 'signInToConsole') return { body: { name: administrator.email, password: testPassword } }
    if (name === 'giveCode')
      return { body: { ticket: await ticketOf(administrator), code: codeOf(administrator, new Date()) } }
    if (name === 'startEnrolment') return { body: { ticket: await ticketOf(newcomer) } }
    if (name === 'confirmEnrolment') return { body: { ticket: await ticketOf(newcomer), code: '123456' } }
    return asFormSends(name, input, own, async (from, place) =>
      JSON.parse((await ask(server, from, place, bearer(token))).text),
    )
  }

  /** The request of the call's own asker, or of `as`, whose session stays valid. */
  async function requestFor(
    call: NamedCall,
    kind: Kind | null,
    as = call.policy.access === 'public' ? anybody : call.name,
  ) {
    const { token } = onDutyFor(as)
    return { ...requestText(call, await inputFor(call, as), token, host, kind), token }
  }

  /** The request that a scan begins with. */
  async function sendUnmodified(call: NamedCall, kind: Kind) {
    const request = await requestFor(call, kind)
    const [url, body] = [request.url, request.body].map((text) => text.replaceAll(mark, ''))
    const { headers } = request
    const answer = await fetch(`http://${host}${url}`, { method: call.method, headers, ...(body && { body }) })
    return { status: answer.status, text: await answer.text() }
  }

  /** Number of answers of each status so far for the path (`*`: any). */
  async function answered(path: string) {
    const { values } = await server.app.metrics.requests.get()
    const counts = values.filter(
      ({ metricName, labels }) => metricName?.endsWith('_count') && (path === '*' || labels.path === path),
    )
    const byStatus: Record<string, number> = {}
    for (const { labels, value } of counts) byStatus[`${labels.status}`] = (byStatus[`${labels.status}`] ?? 0) + value
    return byStatus
  }

  return {
    url: `http://${host}`,
    requestFor,
    sendUnmodified,
    answered,
    /** Starts counting. The returned function gives the answers since then by status. */
    async counting(path: string) {
      const before = await answered(path)
      return async () => {
        const since = Object.entries(await answered(path)).map(
          ([status, n]) => [status, n - (before[status] ?? 0)] as const,
        )
        return Object.fromEntries(since.filter(([, n]) => n > 0))
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const callNamed = (wanted: string) => calls.find(({ name }) => name === wanted) as NamedCall

/** Bugs, and answers that show that the request was not read: an expired session, another type of content, the rate limit. */
export const isTrouble = (status: string) => Number(status) >= 500 || ['401', '415', '429'].includes(status)
