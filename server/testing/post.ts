import type { WardenOver } from './given-wardens.ts'
import type { TestServer } from './test-server.ts'

/** A warden of an organisation of their own. */
export const wardenOf = async (server: TestServer, over: WardenOver = {}) =>
  server.given.warden(await server.given.organisation(), over)

/** With a session, for answers whose body matters. */
export async function postAs({ app }: TestServer, { token }: { token: string }, url: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
  return { status: response.statusCode, body: response.json() }
}

let networks = 0
/** Without a session, from a site of its own unless said otherwise: a whole office is another test's matter. */
export async function post(
  { app }: TestServer,
  url: string,
  payload: object,
  remoteAddress = `11.${networks >> 8}.${networks++ & 255}.1`,
) {
  const response = await app.inject({ method: 'POST', url, remoteAddress, payload })
  return { status: response.statusCode, body: response.json() }
}
