import type { CallContract, CallReply } from '#kernel/route.ts'
import type { TestServer } from './test-server.ts'

/** The test's app on a port of its own, for what only real connections show. It stops with the app. */
export async function listen({ app }: TestServer) {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    async post<C extends CallContract>(call: C, body: unknown, key?: string, more?: object): Promise<CallReply<C>> {
      const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }), ...more }
      const response = await fetch(`${url}${call.path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()) as CallReply<C>
    },
  }
}
