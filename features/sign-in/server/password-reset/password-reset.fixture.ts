import type { Warden } from '#server/testing/given-wardens.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { post } from '#server/testing/post.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { tokenIn } from '#server/testing/texts.ts'
import { requestPasswordReset, resetPassword } from '../../calls/password-reset.ts'

export const goodPassword = 'nine lamps on the quay'

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
