import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { listReportInCards, reportIn } from '#features/duty/calls/report-in.ts'
import { createEvent } from '#features/events/calls/events.ts'
import { getMe } from '#features/sign-in/calls/console-sign-in.ts'
import { getProfile, rejoin, verifyLoginByMobile, verifyLoginReportIn } from '#features/sign-in/calls/sign-in.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { startInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { givenPuppeteers } from './puppets.fixture.ts'

const wrongNumber = '61491570156'
const ended = ['not_signed_in']
const goesOn = ['answered']

async function byMobile(server: TestServer, phone = wrongNumber) {
  await server.stranger('POST /api/v2/auth/login-by-mobile', { body: { phone } } as never)
  await sendTexts(server)
  const token = tokenIn((await textsOn(server, phone)).at(-1))
  const auth = await server.stranger(verifyLoginByMobile, { body: { token } })
  return server.callWith('access_token' in auth ? auth.access_token : undefined)
}

/** A warden who has the mobile of someone else, for whom Sly Site has entered it. */
async function misled(server: TestServer) {
  const at = await givenPuppeteers(server)
  const warden = await server.given.warden(at.org)
  await at.change(at.site, warden.personUid, { mobile: `+${wrongNumber}` })
  const correct = () => at.change(at.call, warden.personUid, { mobile: `+${warden.mobile}` })
  const isAlive = (session: ReturnType<TestServer['callWith']>) => refused(session(getProfile, {}))
  return { ...at, warden, uid: warden.personUid, correct, isAlive }
}

test('AUTH-34 a session that a wrong mobile opened ends when someone corrects it, and starts no event by a later role', async ({
  server,
}) => {
  const { org, call, away, uid, correct, isAlive, offerChief } = await misled(server)
  const session = await byMobile(server)
  expect(await isAlive(session)).toEqual(goesOn)

  await correct()
  await offerChief(call, uid)

  expect(
    await refused(
      session(getProfile, {}),
      session(rejoin, { body: { person_uid: uid } }),
      session(createEvent, startInput({ ...org, siteUid: away.siteUid, buildingUid: away.buildingUid })),
    ),
  ).toEqual([...ended, ...ended, ...ended])
})

test('AUTH-34 a mobile that is removed ends it, too; a password session stays, until email or user name changes', async ({
  server,
}) => {
  const { call, uid, warden, change, isAlive } = await misled(server)
  const [phone, desk] = [await byMobile(server), await server.as(warden)]

  await change(call, uid, { mobile: '', last_name: 'Other' })
  expect([await isAlive(phone), await isAlive(desk)]).toEqual([ended, goesOn])

  await change(call, uid, { email: `new.${randomUUID()}@evac.test` })
  expect(await isAlive(desk)).toEqual(ended)
})

test('AUTH-34 another spelling, a first mobile and an own change end nothing', async ({ server }) => {
  const { org, call, change } = await givenPuppeteers(server)
  const admin = await givenAdministrator(server, org)
  const own = await asAdministrator(server, admin)

  await change(call, admin.personUid, { email: admin.email.toUpperCase(), mobile: '+61491570159' })
  expect(await refused(own(getMe, {}))).toEqual(goesOn)
  await change(own, admin.personUid, { email: `own.${randomUUID()}@evac.test` })

  expect(await refused(own(getMe, {}))).toEqual(goesOn)
})

test('AUTH-34 at the console it ends when someone else changes the email', async ({ server }) => {
  const { org, call, change } = await givenPuppeteers(server)
  const admin = await givenAdministrator(server, org)
  const session = await asAdministrator(server, admin)

  await change(call, admin.personUid, { email: `new.${randomUUID()}@evac.test` })

  expect(await refused(session(getMe, {}))).toEqual(ended)
})

test('AUTH-34 a warden on duty stays until that duty ends, opens no other card, and a later duty brings nothing back', async ({
  server,
}) => {
  const { org, call, uid, correct, isAlive, warden, offerChief } = await misled(server)
  const { eventUid } = await server.runningEvent(org)
  const session = await byMobile(server)
  await session(reportIn, {})

  await correct()
  await offerChief(call, uid)

  expect(await isAlive(session)).toEqual(goesOn)
  const cards = await session(listReportInCards, { query: { signInMethod: 'Mobile' } })
  const other = cards.find(({ Warden_Assignment_UID: card }) => card !== warden.assignmentUid)
  const away = session(rejoin, { body: { oauth_token: other?.oauth_token as string } })
  expect([await refused(away), await isAlive(session)]).toEqual([['unauthorized_access'], goesOn])
  const duty = await server.signInOf(eventUid, warden)
  const set = (values: { onDuty: boolean; offDutyAt?: Date; onDutyAt?: Date }) =>
    server.db
      .updateTable('wardenSignIn')
      .set(values)
      .where('uid', '=', duty?.uid as SignInUid)
      .execute()
  await set({ onDuty: false, offDutyAt: new Date() })
  expect(await isAlive(session)).toEqual(ended)
  await set({ onDuty: true, onDutyAt: new Date() })
  expect(await isAlive(session)).toEqual(ended)
})

test('AUTH-34 a report-in link that went to a wrong mobile opens nothing once it is corrected', async ({ server }) => {
  const { org, correct } = await misled(server)
  await server.runningEvent(org, { alertToWarden: 'yes' })
  await sendTexts(server)
  const token = tokenIn((await textsOn(server, wrongNumber)).at(-1))
  const open = async () => (await server.stranger(verifyLoginReportIn, { body: { token } })).tokenStatus
  expect(await open()).toBe('valid')

  await correct()

  expect(await open()).toBe('invalid-expired')
})
