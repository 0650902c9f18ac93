import { loginByMobile, verifyLoginByMobile } from '@evac/contract/calls/sign-in.ts'
import { expect } from 'vitest'
import type { Warden, WardenOver } from '../../testing/given-people.ts'
import { type TestServer, withKey } from '../../testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '../../testing/texts.ts'

export const wardenOf = async (server: TestServer, over: WardenOver = {}) =>
  server.given.warden(await server.given.organisation(), over)

let networks = 0
/** A request from an address of its own unless said otherwise: a whole office is another test's matter. */
export async function request(
  server: TestServer,
  phone: string | null,
  network = `10.0.${networks >> 8}.${networks++ & 255}`,
) {
  const payload = { phone }
  const url = loginByMobile.path
  const response = await server.app.inject({ method: 'POST', url, remoteAddress: network, payload })
  return { status: response.statusCode, body: response.json() }
}
export const verify = (server: TestServer, token: string, nonce?: string) =>
  server.stranger(verifyLoginByMobile, { body: { token } }, nonce === undefined ? {} : withKey(nonce))

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
