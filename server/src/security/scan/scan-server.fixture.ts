import type { AddressInfo } from 'node:net'
import { givenAdministrator } from '../../testing/administrators.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { testPassword } from '../../testing/given-wardens.ts'
import { startTestServer, testConfig } from '../../testing/test-server.ts'
import { calls } from '../authorisation/ask.fixture.ts'
import { everyModule, givenOnDuty } from '../authorisation/on-duty.fixture.ts'
import { type Kind, requestText, wholeInput } from './marked-requests.fixture.ts'

/** These undo each other. Alternating them keeps each one possible. */
const undoneBy: Record<string, string> = { createEvent: 'endEvent', endEvent: 'createEvent' }

/**
 * The app with its pages on a port, behind one proxy that names the sender. Has an asker for each call who may make it.
 */
export async function startScanServer() {
  const server = await startTestServer({ config: { ...testConfig, trustedProxies: 1 } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const host = `127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const onDutyFor = await givenOnDuty(server, everyModule)
  const administrator = await givenAdministrator(server, await server.given.organisation())

  /** The request of the call's own asker, or of `as`, whose session stays valid. */
  function requestFor(
    call: NamedCall,
    kind: Kind | null,
    as = call.policy.access === 'public' ? 'getProfile' : call.name,
  ) {
    const { own, token } = onDutyFor(as)
    const input = wholeInput(call, own)
    // an existing account with the right password, because only that reaches all of the call's code
    if (call.name === 'login') input.body = { email: own.ownEmail, password: testPassword }
    if (call.name === 'signInToConsole') input.body = { name: administrator.email, password: testPassword }
    return { ...requestText(call, input, token, host, kind), token }
  }

  async function send(call: NamedCall, as?: string) {
    const { url, body, token } = requestFor(call, null, as)
    const headers = { authorization: `Bearer ${token}`, ...(call.body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`http://${host}${url}`, { method: call.method, headers, ...(call.body && { body }) })
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
    send,
    answered,
    /** The call that must be made before this one can be repeated. */
    undoing: (call: NamedCall) => calls.find(({ name }) => name === undoneBy[call.name]),
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

/** Bugs, and answers that show that the request was not read: the rate limit, or an expired session. */
export const isTrouble = (status: string) => Number(status) >= 500 || ['401', '429'].includes(status)
