import { expect } from 'vitest'
import { wardenOf } from '#server/testing/post.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getProfile, noteHere, verifyLoginByMobile } from '../calls/sign-in.ts'
import { expired, newToken, verify } from './mobile-link.fixture.ts'

/** A browser opens the link without having asked for it. */
async function open(server: TestServer, token: string) {
  const auth = await server.stranger(verifyLoginByMobile, { body: { token } }, withKey(crypto.randomUUID()))
  return server.callWith('access_token' in auth ? auth.access_token : 'none')
}
type Browser = Awaited<ReturnType<typeof open>>
const isSignedIn = (browser: Browser) =>
  browser(getProfile, {}).then(
    () => true,
    ({ code }: { code: string }) => (code === 'not_signed_in' ? false : code),
  )

test('STAY-03 a link that a browser without a touch has opened still signs the person in, and the first is signed out', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)

  const scanner = await open(server, token)
  expect(await isSignedIn(scanner)).toBe(true)
  const person = await open(server, token)

  expect([await isSignedIn(scanner), await isSignedIn(person)]).toEqual([false, true])
  await person(noteHere, {})
  await person(noteHere, {})
  expect(await isSignedIn(await open(server, token).catch(() => scanner))).toBe(false)
  expect(await verify(server, token, 'third')).toEqual(expired)
})

test('STAY-03 an unproved session ends after ten minutes; the first touch gives it its whole length', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  const minutes = async () => {
    const session = await server.db
      .selectFrom('session')
      .selectAll()
      .where('personUid', '=', warden.personUid)
      .executeTakeFirstOrThrow()
    return Math.round((session.expiresAt.getTime() - Date.now()) / 60_000)
  }
  const browser = await open(server, await newToken(server, warden))
  expect(await minutes()).toBe(10)

  await browser(noteHere, {})

  expect(await minutes()).toBe(720)
})

test('STAY-03 the browser that has asked uses the link up at once', async ({ server }) => {
  const token = await newToken(server, await wardenOf(server))

  expect(await verify(server, token, 'asked')).toMatchObject({ tokenStatus: 'valid' })

  expect(await verify(server, token, 'another')).toEqual(expired)
})

test('STAY-03 of 500 browsers at once one stays signed in', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)

  const browsers = await Promise.all(Array.from({ length: 500 }, () => open(server, token)))

  expect((await Promise.all(browsers.map(isSignedIn))).filter(Boolean)).toEqual([true])
})
