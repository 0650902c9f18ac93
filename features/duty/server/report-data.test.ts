import { expect } from 'vitest'
import { listDocuments } from '#features/assignments/calls/assignments.ts'
import { endEvent } from '#features/events/calls/events.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getReportData, getRole, logSignIn, reportIn, reportNotAvailable } from '../calls/report-in.ts'

test('REPORT-24 API-16 role, event with its buildings, and the own area', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org, { buildings: [org.otherBuildingUid, org.buildingUid] })
  const call = await server.as(warden)

  const report = await call(getReportData, {})

  expect(report.data).toEqual({
    role: { Warden_Role: 'Floor Warden', Module_Event_Management: false },
    event: { uid: eventUid, id: org.eventTypeUid, type: 'Fire', description: 'Fire or smoke' },
    locations: [{ site: org.siteName, building: ['Tower A', 'Tower B'] }],
    area: { domain: 'Floor', locations: [{ id: org.floorUid, name: 'Tower A - Ground' }] },
    active_event: true,
    chief: null,
  })
})

test('UX-52 AUTH-05 a warden on duty reads who manages the event, no one else does', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { chief, manager } = await server.runningEvent(org)
  const call = await server.as(warden)
  const chiefOf = async (who: typeof call) => (await who(getRole, {})).data.chief

  expect(await chiefOf(call)).toBeNull()
  await call(reportIn, {})
  const shown = await chiefOf(call)

  expect(shown).toMatchObject({ id: chief.assignmentUid, role: 'Chief Warden' })
  expect(await chiefOf(manager)).toBeNull()
})

test('ROLE-07 API-66 My Role reads the same by GET', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { role: 'Chief Warden' })
  await server.runningEvent(org)
  const call = await server.as(warden)

  const role = await call(getRole, {})

  expect(role).toEqual(await call(getReportData, {}))
  expect(role.data.role).toEqual({ Warden_Role: 'Chief Warden', Module_Event_Management: true })
  expect(role.data.area).toMatchObject({ domain: 'Site', locations: [{ name: 'Tower A' }, { name: 'Tower B' }] })
})

test('REPORT-24 without an event there is none, and no locations', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { manager } = await server.runningEvent(org)
  await manager(endEvent, endInput(org))

  const report = await (await server.as(warden))(getReportData, {})

  expect(report.data).toMatchObject({ event: null, locations: [], active_event: false, area: { domain: 'Floor' } })
})

test('REPORT-25 API-21 the sign-in log answers where the warden stands, and changes no attendance', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.as(warden)
  const signIn = await server.signInOf(eventUid, warden)
  const ids = { warden_uid: warden.assignmentUid, event_uid: eventUid, WardenSignInUID: signIn?.uid }
  const record = { error: null, ...ids, event_kind: 'live' }

  const unknown = await call(logSignIn, { body: {} })
  await call(reportNotAvailable, {})
  const away = await call(logSignIn, { body: null })
  await call(reportIn, {})
  const onDuty = await call(logSignIn, { body: { peer_email: warden.email } })

  expect(unknown).toEqual({ ...record, reported_in: false, on_duty: false, not_available: false })
  expect(away).toEqual({ ...record, reported_in: true, on_duty: false, not_available: true })
  expect(onDuty).toEqual({ ...record, reported_in: true, on_duty: true, not_available: false })
  expect(await logOf(server, warden)).toMatchObject([
    { eventUid, assignmentUid: warden.assignmentUid, method: 'Email', peerEmail: null },
    { eventUid, peerEmail: null },
    { eventUid, peerEmail: warden.email },
  ])
})

test('API-21 without an event the log says so', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())

  const record = await (await server.as(warden))(logSignIn, { body: null })

  expect(record).toMatchObject({ error: null, event_uid: null, WardenSignInUID: null, reported_in: false })
  expect(await logOf(server, warden)).toMatchObject([{ eventUid: null }])
})

test('T4 AMB-041 only an email of the own account may be named as peer', async ({ server }) => {
  const [home, away] = [await server.given.organisation(), await server.given.organisation()]
  const [warden, colleague] = [await server.given.warden(home), await server.given.warden(home)]
  const atAway = await server.given.warden(away, { accountUid: warden.accountUid })
  const call = await server.as(warden)

  for (const peer_email of [colleague.email, 'nobody@evac.test', '%'])
    await expect(call(logSignIn, { body: { peer_email } })).rejects.toMatchObject({ code: 'forbidden', status: 403 })
  expect(await logOf(server, warden)).toEqual([])

  await call(logSignIn, { body: { peer_email: atAway.email.toUpperCase() } })
  expect(await logOf(server, warden)).toHaveLength(1)
})

test("AMB-041 by the email of the account's person elsewhere, their current assignment is logged and answered", async ({
  server,
}) => {
  const [home, away] = [await server.given.organisation(), await server.given.organisation()]
  const warden = await server.given.warden(home)
  const atAway = await server.given.warden(away, { accountUid: warden.accountUid })
  const { eventUid } = await server.runningEvent(away)
  await server.onDuty(atAway)
  const call = await server.as(warden)

  const record = await call(logSignIn, { body: { peer_email: atAway.email } })

  const { clientUid, personUid, assignmentUid } = atAway
  const signIn = await server.signInOf(eventUid, atAway)
  expect(record).toEqual({
    error: null,
    reported_in: true,
    warden_uid: assignmentUid,
    event_uid: eventUid,
    on_duty: true,
    not_available: false,
    WardenSignInUID: signIn?.uid,
    event_kind: 'live',
  })
  expect(await logOf(server, warden)).toMatchObject([{ clientUid, personUid, assignmentUid, eventUid }])
})

test('AMB-041 with one email at two clients it is the session that says which', async ({ server }) => {
  const [home, away] = [await server.given.organisation(), await server.given.organisation()]
  const warden = await server.given.warden(home)
  const atAway = await server.given.warden(away, { accountUid: warden.accountUid })
  await server.db.updateTable('person').set({ email: warden.email }).where('uid', '=', atAway.personUid).execute()

  for (const one of [warden, atAway]) {
    const record = await (await server.as(one))(logSignIn, { body: { peer_email: warden.email } })

    expect(record.warden_uid).toBe(one.assignmentUid)
  }
})

test('AMB-041 T2 a person who was switched off, or is beyond a report-in link, is no one to log', async ({
  server,
}) => {
  const [home, away] = [await server.given.organisation(), await server.given.organisation()]
  const warden = await server.given.warden(home)
  const atAway = await server.given.warden(away, { accountUid: warden.accountUid })
  const { eventUid } = await server.runningEvent(home)
  const byLink = await server.as(warden, { signInUid: (await server.signInOf(eventUid, warden))?.uid as SignInUid })
  const peer = { body: { peer_email: atAway.email } }

  await expect(byLink(logSignIn, peer)).rejects.toMatchObject({ code: 'forbidden' })
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', atAway.personUid).execute()
  await expect((await server.as(warden))(logSignIn, peer)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await logOf(server, warden)).toEqual([])
})

const logOf = ({ db }: TestServer, { accountUid }: Warden) =>
  db.selectFrom('signInLog').selectAll().where('accountUid', '=', accountUid).orderBy('at').execute()

test('AMB-060 who has not accepted yet reads that an event runs in their area, not one elsewhere', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const offered = await server.given.warden(org, { status: 'Offered' })
  const { eventUid, manager } = await server.runningEvent(org)
  const call = await server.as(offered)
  const current = async () => (await call(getReportData, {})).data

  expect(await current()).toMatchObject({ event: { uid: eventUid }, locations: [{ building: ['Tower A'] }] })
  expect((await call(logSignIn, { body: null })).event_uid).toBeNull()
  await manager(endEvent, endInput(org))
  await server.runningEvent(org, { buildings: [org.otherBuildingUid] })
  expect(await current()).toMatchObject({ event: null, active_event: false })
})

test.for(['Withdrawn', 'Declined'])(
  'AMB-067 %s: an open session shows role and documents no more',
  async (status, { server }) => {
    const warden = await server.given.warden(await server.given.organisation())
    const call = await server.as(warden)
    const documents = { query: { wardenAssignmentUID: warden.assignmentUid } }
    expect((await call(listDocuments, documents)).documents).toEqual([])
    await server.db.updateTable('wardenAssignment').set({ status }).where('uid', '=', warden.assignmentUid).execute()

    const attempts = [call(getRole, {}), call(getReportData, {}), call(listDocuments, documents)]
    expect(await refused(...attempts)).toEqual(['not_found', 'not_found', 'not_found'])
  },
)
