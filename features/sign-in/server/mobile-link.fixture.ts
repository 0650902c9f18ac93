import { expect } from 'vitest'
import { askedHeader } from '#kernel/write-headers.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { post } from '#server/testing/post.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { loginByMobile, verifyLoginByMobile } from '../calls/sign-in.ts'

export const request = (server: TestServer, phone: string | null, network?: string) =>
  post(server, loginByMobile.path, { phone }, network)
export const verify = (server: TestServer, token: string, nonce?: string) =>
  server.stranger(
    verifyLoginByMobile,
    { body: { token } },
    nonce === undefined ? {} : { headers: { ...withKey(nonce).headers, [askedHeader]: '1' } },
  )

/** The token in the newest link that reached the warden's phone. */
export async function newToken(server: TestServer, { mobile }: Warden): Promise<string> {
  expect(await request(server, mobile)).toEqual(sent)
  await sendTexts(server)
  return tokenIn((await textsOn(server, mobile)).at(-1))
}

export const sent = { status: 200, body: { mobile: 'valid', popup_text: '' } }
export const unknown = {
  status: 200,
  body: {
    mobile: 'invalid',
    popup_text:
      'This mobile number is not registered with All Wardens. Please check the number or sign in with your email / username.',
  },
}
export const tooMany = {
  status: 429,
  body: {
    error: 'too_many_attempts',
    message: 'Too many failed attempts. Try again in 5 minutes.',
    mobile: 'invalid',
    popup_text: 'Too many failed attempts. Try again in 5 minutes.',
  },
}
export const expired = { tokenStatus: 'expired' }

export const textRows = ({ db }: TestServer) => db.selectFrom('sms').selectAll().orderBy('createdAt').execute()
