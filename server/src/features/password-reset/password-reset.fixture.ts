import { requestPasswordReset, resetPassword } from '@evac/contract/calls/password-reset.ts'
import type { Warden, WardenOver } from '../../testing/given-people.ts'
import { mailsTo, sendMails } from '../../testing/mails.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { tokenIn } from '../../testing/texts.ts'

export const goodPassword = 'nine lamps on the quay'

export const wardenOf = async (server: TestServer, over: WardenOver = {}) =>
  server.given.warden(await server.given.organisation(), over)

let networks = 0
/** From an address of its own unless said otherwise: a whole office is another test's matter. */
async function post(server: TestServer, url: string, payload: object, network?: string) {
  const remoteAddress = network ?? `10.1.${networks >> 8}.${networks++ & 255}`
  const response = await server.app.inject({ method: 'POST', url, remoteAddress, payload })
  return { status: response.statusCode, body: response.json() }
}
export const request = (server: TestServer, email: string, network?: string) =>
  post(server, requestPasswordReset.path, { email }, network)
export const setPassword = async (server: TestServer, token: string, password = goodPassword, network?: string) =>
  (await post(server, resetPassword.path, { token, password }, network)).body.outcome as string

export const accepted = { status: 200, body: { status: 'accepted' } }

/** The token in the newest link that was mailed to the warden. */
export async function newToken(server: TestServer, { email }: Warden): Promise<string> {
  await request(server, email)
  await sendMails(server)
  const mails = (await mailsTo(server, email)).filter(({ body }) => body.includes('token='))
  return tokenIn(/\S+token=\S+/.exec(mails.at(-1)?.body ?? '')?.[0])
}

export const mailRows = ({ db }: TestServer, { accountUid }: Pick<Warden, 'accountUid'>) =>
  db.selectFrom('mail').selectAll().where('accountUid', '=', accountUid).orderBy('createdAt').execute()
export const resetRows = ({ db }: TestServer, { accountUid }: Pick<Warden, 'accountUid'>) =>
  db.selectFrom('passwordReset').selectAll().where('accountUid', '=', accountUid).orderBy('createdAt').execute()
