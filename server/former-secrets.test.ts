import { sql } from 'kysely'
import { expect } from 'vitest'
import { makeWall, readWall } from '#features/board/calls/walls.ts'
import { boardGiven } from '#features/board/server/board.fixture.ts'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { listPeople } from '#features/people/calls/people.ts'
import { getMe, giveCode, renewRecoveryCodes, signInToConsole } from '#features/sign-in/calls/console-sign-in.ts'
import { getProfile, loginByMobile, rejoin, verifyLoginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { countHanging, sealAnew } from '#features/sign-in/server/console/former-keys.service.ts'
import { textSources } from './link-sources.ts'
import { newSecret } from './platform/one-time-codes.ts'
import { deriveSecrets, encrypt, keyring } from './platform/secrets.ts'
import { verifyConnectionToken } from './realtime/hub/token.ts'
import { asAdministrator, codeOf, givenAdministrator, steppingClock } from './testing/administrators.ts'
import { testPassword } from './testing/given-wardens.ts'
import { testsWithServer } from './testing/server-test.ts'
import { secretKey, startTestServer, type TestServer, withKey } from './testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from './testing/texts.ts'

const clock = steppingClock()
const newKey = 'another secret for tests only, as long'
const changed = deriveSecrets(newKey, [secretKey])

/** `server` has the former key. `next` is a node with the new one that knows the former, `alone` one that does not, on the same database. */
const test = testsWithServer({ clock })
  .extend('next', { scope: 'file' }, async ({ server }, { onCleanup }) => besides(server, changed, onCleanup))
  .extend('alone', { scope: 'file' }, async ({ server }, { onCleanup }) =>
    besides(server, deriveSecrets(newKey), onCleanup),
  )

async function besides(
  server: TestServer,
  secrets: TestServer['app']['secrets'],
  onCleanup: (end: () => Promise<void>) => void,
) {
  // the database ends with the first server
  const database = Object.create(server.database, { [Symbol.asyncDispose]: { value: async () => undefined } })
  const node = await startTestServer({ clock, secrets }, database)
  onCleanup(() => node[Symbol.asyncDispose]())
  return node
}

test('OPS-03 sessions of both sides go on: cards and pages of lists of the former key are recognised', async ({
  server,
  next,
  alone,
}) => {
  const org = await server.given.organisation()
  const warden = await server.as(await server.given.warden(org))
  const admin = await asAdministrator(server, await givenAdministrator(server, org))
  const [card] = await warden(listReportInCards, { query: { signInMethod: 'Email' } })
  await server.given.occupants(org, 51)
  const { more } = await admin(listPeople, { query: {} })

  const cards = { body: { oauth_token: card?.oauth_token as string } }
  const page = { query: { after: more.after as string } }

  await expect(alone.callWith(admin.token)(listPeople, page)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(alone.callWith(warden.token)(rejoin, cards)).rejects.toMatchObject({ code: 'unauthorized_access' })

  expect((await next.callWith(admin.token)(listPeople, page)).rows.length).toBeGreaterThan(0)
  const { access_token } = await next.callWith(warden.token)(rejoin, cards)
  await next.callWith(access_token)(getProfile, {})
})

test('OPS-03 a rejoin whose answer was lost is answered by a node with another key', async ({ server, next }) => {
  const given = await server.given.warden(await server.given.organisation())
  const warden = await server.as(given)
  const key = withKey()
  const first = await warden(rejoin, { body: { person_uid: given.personUid } }, key)

  expect(await next.callWith(warden.token)(rejoin, { body: { person_uid: given.personUid } }, key)).toEqual(first)
})

test('OPS-03 wall screens and sockets of the former key go on', async ({ server, next, alone }) => {
  const { manager, org } = await boardGiven(server)
  const body = { site: org.siteUid, name: 'Lobby', place: 'team' as const, days: 90 }
  const { url } = await manager(makeWall, { body }, withKey())
  const wall = { body: { token: url.split('#')[1] as string } }

  expect(await next.stranger(readWall, wall)).toMatchObject({ place: 'team' })
  await expect(alone.stranger(readWall, wall)).rejects.toMatchObject({ code: 'link_ended' })

  const { token } = await manager(getChannelToken, {})
  expect(await verifyConnectionToken(keyring(changed, 'realtime'), token)).toMatchObject({ sid: expect.any(String) })
  await expect(verifyConnectionToken([changed.realtime], token)).rejects.toThrow()
})

test('OPS-03 a second factor and a recovery code of the former key open the console', async ({
  server,
  next,
  alone,
}) => {
  const given = await givenAdministrator(server, await server.given.organisation())
  const { recovery_codes } = await (await asAdministrator(server, given))(renewRecoveryCodes, {})
  const open = async (node: TestServer, code: () => string) => {
    clock.pass(60)
    const { ticket } = await node.stranger(signInToConsole, { body: { name: given.email, password: testPassword } })
    return node.stranger(giveCode, { body: { ticket, code: code() } })
  }

  for (const code of [() => codeOf(given, clock.now()), () => recovery_codes[0] as string])
    await expect(open(alone, code)).rejects.toMatchObject({ code: 'wrong_code' })
  expect((await open(next, () => codeOf(given, clock.now()))).me.recovery_codes_left).toBe(10)
  expect((await open(next, () => recovery_codes[0] as string)).me.recovery_codes_left).toBe(9)
})

test('OPS-03 a ticket between password and code serves at a node with another key', async ({ server, next }) => {
  const given = await givenAdministrator(server, await server.given.organisation())
  const { ticket } = await server.stranger(signInToConsole, { body: { name: given.email, password: testPassword } })

  const { access_token } = await next.stranger(giveCode, { body: { ticket, code: codeOf(given, clock.now()) } })

  await next.callWith(access_token)(getMe, {})
})

test('OPS-03 the link of a text that a node with another key has queued opens', async ({ server, next }) => {
  const [first, second] = await Promise.all(
    [1, 2].map(async () => server.given.warden(await server.given.organisation())),
  )
  const request = (node: TestServer, mobile: string) => node.stranger(loginByMobile, { body: { phone: mobile } })
  const queue = async () => {
    await request(server, first?.mobile as string)
    await request(next, second?.mobile as string)
  }
  const linkOf = async (mobile: string | null | undefined) => tokenIn((await textsOn(server, mobile ?? '')).at(-1))
  const opens = async (mobile: string | null | undefined) =>
    (await next.stranger(verifyLoginByMobile, { body: { token: await linkOf(mobile) } })).tokenStatus

  await queue()
  await sendTexts(server, textSources(server.db, changed))
  expect([await opens(first?.mobile), await opens(second?.mobile)]).toEqual(['valid', 'valid'])
})

test('OPS-03 workers seal second factors anew, also many at once, and set none back that was set meanwhile', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const given = await Promise.all(Array.from({ length: 5 }, () => givenAdministrator(server, org)))
  const [one] = given as [(typeof given)[number]]
  await (await asAdministrator(server, one))(renewRecoveryCodes, {})
  const hanging = () => countHanging(server.db, changed)
  const before = await hanging()
  const meanwhile = encrypt(changed.secondFactors, newSecret(), one.accountUid)

  await Promise.all([
    ...Array.from({ length: 8 }, () => sealAnew(server.db, changed)),
    sql`/* authority */ update second_factor set secret = ${meanwhile} where account_uid = ${one.accountUid}`.execute(
      server.db,
    ),
  ])

  expect(before).toMatchObject({ lost: 0 })
  expect(before.factors).toBeGreaterThanOrEqual(5)
  expect(await hanging()).toMatchObject({ factors: 0, lost: 0 })
  expect((await hanging()).codes).toBeGreaterThanOrEqual(10)
  const { secret } = await server.db
    .selectFrom('secondFactor')
    .select('secret')
    .where('accountUid', '=', one.accountUid)
    .executeTakeFirstOrThrow()
  expect(secret).toEqual(meanwhile)
})

test('OPS-03 codes that a node of the version before has made belong to the one key there is', async ({ server }) => {
  const given = await givenAdministrator(server, await server.given.organisation())
  await (await asAdministrator(server, given))(renewRecoveryCodes, {})
  await sql`/* authority */ update recovery_code set key_id = null where account_uid = ${given.accountUid}`.execute(
    server.db,
  )
  const only = deriveSecrets(secretKey)
  expect((await countHanging(server.db, only)).codes).toBeGreaterThanOrEqual(10)

  await sealAnew(server.db, only)

  expect(await countHanging(server.db, only)).toMatchObject({ codes: 0, accounts: 0 })
})
