import { expect } from 'vitest'
import { listReportInCards, reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, endEvent, makeEventLive, noteLiveSeen } from '#features/events/calls/events.ts'
import { sendToEvacuee, sendToWarden } from '#features/messaging/calls/messaging.ts'
import { deviceOf } from '#server/platform/device.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { testPassword } from '#server/testing/given-wardens.ts'
import { wardenOf } from '#server/testing/post.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { openWardenSession } from '../calls/console-sign-in.ts'
import { login, logout, rejoin, verifyLoginByMobile, verifyLoginReportIn } from '../calls/sign-in.ts'
import { newToken } from './mobile-link.fixture.ts'

const onIPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148'
const on = (agent: string) => ({ headers: { 'user-agent': agent } })

test.for([
  ['iPhone', onIPhone],
  ['iPad', 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15'],
  ['Android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'],
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['other', 'curl/8.14.1'],
  ['other', undefined],
] as const)('AAR-11 a session on %s is told from the user agent %s', ([word, agent]) => {
  expect(deviceOf({ headers: agent === undefined ? {} : { 'user-agent': agent } })).toBe(word)
})

const sessionOf = async ({ db }: TestServer, token: string) =>
  db.selectFrom('session').selectAll().where('tokenHash', '=', sha256(token)).executeTakeFirstOrThrow()
const tokenOf = (auth: object) => ('access_token' in auth ? String(auth.access_token) : 'none')

test('AAR-11 each way to sign in keeps the word, rejoining too, and nothing keeps the user agent', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  await server.runningEvent(org, { alertToWarden: 'yes' })
  await sendTexts(server)
  const alert = tokenIn((await textsOn(server, warden.mobile)).at(-1))
  const link = await newToken(server, warden)
  const admin = await asAdministrator(server, await givenAdministrator(server, org, { person: warden }))

  const byPassword = await server.stranger(
    login,
    {
      body: { email: warden.email, password: testPassword },
    },
    on(onIPhone),
  )
  const card = (await server.callWith(tokenOf(byPassword))(listReportInCards, { query: { signInMethod: 'Email' } }))[0]
  const tokens = [
    byPassword,
    await server.stranger(verifyLoginByMobile, { body: { token: link } }, on(onIPhone)),
    await server.stranger(verifyLoginReportIn, { body: { token: alert } }, on(onIPhone)),
    await admin(openWardenSession, {}, on(onIPhone)),
  ].map(tokenOf)

  const sessions = await Promise.all(tokens.map((token) => sessionOf(server, token)))
  expect(sessions.map(({ device }) => device)).toEqual(['iPhone', 'iPhone', 'iPhone', 'iPhone'])
  const again = await server.callWith(tokens[0])(rejoin, { body: { person_uid: warden.personUid } })
  expect(card).toBeDefined()
  const rejoined = await sessionOf(server, tokenOf(again))
  expect(rejoined.device).toBe('iPhone')
  const journal = await server.db.selectFrom('journal').selectAll().execute()
  expect(JSON.stringify([...sessions, rejoined, ...journal])).not.toContain('Mozilla')
  for (const { uid } of [...sessions, rejoined])
    expect(journal).toContainEqual(expect.objectContaining({ action: 'signed_in', subjectUid: uid, sessionUid: uid }))
})

test('AAR-11 every entry of a warden has the session that made it; what no session made has none', async ({
  server,
}) => {
  const { given } = server
  const org = await given.organisation()
  const [warden, other] = [await given.warden(org), await given.warden(org)]
  const person = await given.occupant(org)
  const { eventUid, manager, chief, signInUid } = await server.runningEvent(org, { kind: 'drill' })
  const call = await server.as(warden)
  const otherCall = await server.as(other)
  await call(reportNotAvailable, {})
  await call(reportIn, {})
  await call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floorUid } })
  await call(toggleRefusal, { body: { person, floorId: org.floorUid } })
  await call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } })
  const own = (await server.signInOf(eventUid, warden))?.uid as typeof signInUid
  const toChief = { receiverId: chief.assignmentUid, from: own, to: signInUid, message: 'All out.' }
  await call(sendToWarden, { body: toChief as never })
  await call(sendToEvacuee, {
    body: { receiverId: person, message: 'Are you safe?', automated_response_message: 0 } as never,
  })
  await otherCall(reportIn, {})
  await manager(makeEventLive, { body: { event: eventUid, message: 'No drill.' } })
  await call(noteLiveSeen, { body: { event: eventUid } })
  await call(logout, {})
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))

  const entries = await server.db.selectFrom('journal').selectAll().where('eventUid', '=', eventUid).execute()
  const byPerson = new Map(
    await Promise.all(
      (
        [
          [chief, manager],
          [warden, call],
          [other, otherCall],
        ] as const
      ).map(async ([{ personUid }, { token }]) => [personUid as string, (await sessionOf(server, token)).uid] as const),
    ),
  )
  expect(new Set(entries.map(({ action }) => action)).size).toBeGreaterThan(12)
  for (const { action, actorPersonUid, sessionUid } of entries)
    expect([action, sessionUid]).toEqual([action, (actorPersonUid && byPerson.get(actorPersonUid)) ?? null])
})

test('AAR-11 a session keeps no word but those', async ({ server }) => {
  const call = await server.as(await wardenOf(server))
  const { uid } = await sessionOf(server, call.token)
  await expect(
    server.db.updateTable('session').set({ device: onIPhone }).where('uid', '=', uid).execute(),
  ).rejects.toThrow('session_device_check')
})
