import { expect } from 'vitest'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { loginByMobile, logout, verifyLoginReportIn } from '#features/sign-in/calls/sign-in.ts'
import type { EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Warden, WardenOver } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { getEventTexts, listUnreached } from '../../calls/event-texts.ts'
import { createEvent, endEvent } from '../../calls/events.ts'
import { sendReportInLinks } from '../../calls/report-in-links.ts'

/** A running event; `send` asks for links to these wardens, as the chief who started it. */
async function event(server: TestServer, wardens: WardenOver[] = [{}]) {
  const org = await server.given.organisation({ smsAllowed: false })
  const made: Warden[] = []
  for (const over of wardens) made.push(await server.given.warden(org, over))
  const { eventUid, manager, signInUid } = await server.runningEvent(org)
  const uidOf = async (warden: Warden) => (await server.signInOf(eventUid, warden))?.uid as SignInUid
  const uids = await Promise.all(made.map(uidOf))
  const send = (wanted: SignInUid[], sender: SignInUid = signInUid) =>
    manager(sendReportInLinks, { body: { warden_sign_in_uids: wanted, sender_warden_sign_in_uid: sender } })
  const ask = async (...wanted: Parameters<typeof send>) => {
    const { recordsInserted } = await send(...wanted)
    return { recordsInserted }
  }
  return { org, wardens: made, uids, eventUid, manager, signInUid, send, ask }
}

const linksOf = ({ db }: TestServer, eventUid: EventUid) =>
  db.selectFrom('reportInLink').selectAll().where('eventUid', '=', eventUid).execute()

test('LINK-07 LINK-08 API-26 AMB-036 each warden is texted their own link, also where messages are not activated', async ({
  server,
}) => {
  const { org, wardens, uids, signInUid, eventUid, ask } = await event(server, [{}, {}])

  const reply = await ask(uids)
  await sendTexts(server)

  expect(reply).toEqual({ recordsInserted: 2 })
  for (const [i, { mobile }] of wardens.entries()) {
    const [text] = await textsOn(server, mobile)
    const address = `${testConfig.appUrl}/login#reportInToken=${tokenIn(text)}`
    expect(text).toBe(`All Wardens: an event is in progress at ${org.siteName}. Report in: ${address}`)
    const auth = await server.stranger(verifyLoginReportIn, { body: { token: tokenIn(text) } })
    expect(auth).toMatchObject({ tokenStatus: 'valid', WardenSignInUID: uids[i] })
  }
  const links = await linksOf(server, eventUid)
  expect(links.map(({ senderSignInUid }) => senderSignInUid)).toEqual([signInUid, signInUid])
  const told = (await server.journalOf(uids[0] as string)).find(({ action }) => action === 'report_in_link_sent')
  expect(told).toMatchObject({ actorSignInUid: signInUid, eventUid })
})

test('LINK-02 who is on duty or not available gets none; who went off duty does', async ({ server }) => {
  const { wardens, uids, ask } = await event(server, [{}, {}, {}, {}])
  const [onDuty, away, gone] = await Promise.all(wardens.map((warden) => server.as(warden)))
  await onDuty?.(reportIn, {})
  await away?.(reportNotAvailable, {})
  await gone?.(reportIn, {})
  await gone?.(logout, {})

  expect(await ask(uids)).toEqual({ recordsInserted: 2 })

  await sendTexts(server)
  const texted = await Promise.all(wardens.map(async ({ mobile }) => (await textsOn(server, mobile)).length))
  expect(texted).toEqual([0, 0, 1, 1])
})

test('LINK-13 a warden without a mobile is passed over and not counted', async ({ server }) => {
  const { uids, ask } = await event(server, [{ mobile: null }, {}])

  expect(await ask(uids)).toEqual({ recordsInserted: 1 })
})

test('LINK-13 AMB-129 a warden whose number refuses texts is passed over and not counted: no link would reach them', async ({
  server,
}) => {
  const { wardens, uids, ask } = await event(server, [{}, {}])
  await server.db
    .insertInto('smsRefusal')
    .values({ mobile: wardens[0]?.mobile as string })
    .execute()

  expect(await ask(uids)).toEqual({ recordsInserted: 1 })
})

test('UX-43 the sender hears who could not be texted, and why; not of those who need no link', async ({ server }) => {
  const { wardens, uids, send } = await event(server, [{ mobile: null }, {}, {}, {}])
  const [without, refuses, onDuty] = uids
  await server.db
    .insertInto('smsRefusal')
    .values({ mobile: wardens[1]?.mobile as string })
    .execute()
  await (await server.as(wardens[2] as Warden))(reportIn, {})

  const { recordsInserted, not_reached } = await send(uids)

  expect(recordsInserted).toBe(1)
  expect(new Map(not_reached.map(({ wardenSignInUid, reason }) => [wardenSignInUid, reason]))).toEqual(
    new Map([
      [without, 'No mobile number.'],
      [refuses, 'SMS refused.'],
    ]),
  )
  expect(await send([onDuty as SignInUid])).toEqual({ recordsInserted: 0, not_reached: [] })
})

test('LINK-02 EVENT-61 a warden who left the event with their building gets none', async ({ server }) => {
  const { org, eventUid, manager, ask } = await event(server)
  const leaving = await server.given.warden(org, { floorUid: org.otherFloorUid })
  const buildings = [org.otherBuildingUid]
  await manager(createEvent, startInput(org, { buildings }))
  const uid = (await server.signInOf(eventUid, leaving))?.uid as SignInUid
  await manager(endEvent, endInput(org, { buildings }))

  expect(await ask([uid])).toEqual({ recordsInserted: 0 })

  expect(await linksOf(server, eventUid)).toEqual([])
})

test('LINK-04 an empty list is refused', async ({ server }) => {
  const { ask } = await event(server)

  await expect(ask([])).rejects.toMatchObject({ code: 'invalid_request', status: 422 })
})

test("LINK-12 T4 no one sends in another's name", async ({ server }) => {
  const { uids, eventUid, ask } = await event(server)

  await expect(ask(uids, uids[0])).rejects.toMatchObject({ code: 'forbidden', status: 403 })

  expect(await linksOf(server, eventUid)).toEqual([])
})

test('LINK-12 T2 sign-ins of another event, of another organisation, and of no one are passed over', async ({
  server,
}) => {
  const { org, ask } = await event(server)
  const { siteUid, siteName, buildingUid, floorUid } = await server.given.site(org)
  const elsewhere = { ...org, siteUid, siteName, buildingUid, floorUid }
  const colleague = await server.given.warden(elsewhere)
  const second = await server.runningEvent(elsewhere)
  const other = await event(server)
  const sameClient = (await server.signInOf(second.eventUid, colleague))?.uid as SignInUid
  const nobody = '00000000-0000-4000-8000-000000000000' as SignInUid

  expect(await ask([sameClient, ...other.uids, nobody])).toEqual({ recordsInserted: 0 })

  expect(await linksOf(server, second.eventUid)).toEqual([])
  expect(await linksOf(server, other.eventUid)).toEqual([])
})

test('LINK-12 AUTH-02 it takes the module, and being on duty', async ({ server }) => {
  const { org, uids } = await event(server)
  const without = await server.given.warden(org, { modules: ['Module_Floor_Evacuation'] })
  const body = { warden_sign_in_uids: uids, sender_warden_sign_in_uid: uids[0] as SignInUid }

  await expect((await server.as(without))(sendReportInLinks, { body })).rejects.toMatchObject({ code: 'forbidden' })
  const late = await server.given.warden(org)
  const answer = (await server.as(late))(sendReportInLinks, { body })
  await expect(answer).rejects.toMatchObject({ status: 409 })
})

test('AMB-145 the same warden gets one a minute, also from many senders at once', async ({ server }) => {
  const { uids, eventUid, ask } = await event(server)

  const replies = await Promise.all(Array.from({ length: 10 }, () => ask(uids)))
  expect(replies.map(({ recordsInserted }) => recordsInserted).toSorted()).toEqual([...Array(9).fill(0), 1])
  expect(await ask(uids)).toEqual({ recordsInserted: 0 })

  const sentAgo = (seconds: number) => {
    const sentAt = new Date(Date.now() - seconds * 1000)
    return server.db.updateTable('reportInLink').set({ sentAt }).where('eventUid', '=', eventUid).execute()
  }
  await sentAgo(50)
  expect(await ask(uids)).toEqual({ recordsInserted: 0 })
  await sentAgo(61)
  expect(await ask(uids)).toEqual({ recordsInserted: 1 })
})

test('AMB-145 a warden named twice gets one link; the same request again gets the same answer', async ({ server }) => {
  const { uids, signInUid, eventUid, manager } = await event(server)
  const body = { warden_sign_in_uids: [...uids, ...uids], sender_warden_sign_in_uid: signInUid }
  const key = withKey()

  const [first, again] = [
    await manager(sendReportInLinks, { body }, key),
    await manager(sendReportInLinks, { body }, key),
  ]

  expect([first, again]).toEqual(Array(2).fill({ recordsInserted: 1, not_reached: [] }))
  expect(await linksOf(server, eventUid)).toHaveLength(1)
})

test('LINK-02 AMB-145 who has left the organisation gets none; the alert of the start holds up no link', async ({
  server,
}) => {
  const { wardens, uids, eventUid, signInUid, manager } = await event(server, [{}, {}])
  const [left, alerted] = uids as [SignInUid, SignInUid]
  await server.db
    .updateTable('person')
    .set({ active: false })
    .where('uid', '=', wardens[0]?.personUid as PersonUid)
    .execute()
  const body = { warden_sign_in_uids: [left, alerted], sender_warden_sign_in_uid: signInUid }
  expect(await manager(sendReportInLinks, { body })).toEqual({ recordsInserted: 1, not_reached: [] })
  // as the start of an event makes them: of no sender
  await server.db.updateTable('reportInLink').set({ senderSignInUid: null }).where('eventUid', '=', eventUid).execute()

  expect(await manager(sendReportInLinks, { body })).toEqual({ recordsInserted: 1, not_reached: [] })
  expect(new Set((await linksOf(server, eventUid)).map((link) => link.signInUid))).toEqual(new Set([alerted]))
})

test('LINK-08 AMB-145 a link is good for a day, its text for fifteen minutes', async ({ server }) => {
  const { uids, eventUid, ask } = await event(server)

  await ask(uids)

  const [link] = await linksOf(server, eventUid)
  expect(((link?.expiresAt.getTime() ?? 0) - (link?.sentAt.getTime() ?? 0)) / 3_600_000).toBeCloseTo(24, 1)
  const [text] = await server.db.selectFrom('sms').selectAll().where('eventUid', '=', eventUid).execute()
  expect(((text?.validUntil?.getTime() ?? 0) - (text?.createdAt.getTime() ?? 0)) / 60_000).toBeCloseTo(15, 1)
})

test('T32 LINK-05 with the budget used up as many are counted as are sent; the others are unreached, each with the reason', async ({
  server,
}) => {
  const numberless = { mobile: null, firstName: 'Nora' }
  const { org, wardens, uids, eventUid, manager, ask } = await event(server, [{}, {}, {}, {}, {}, {}, numberless])
  const own = server.db.updateTable('client').where('uid', '=', org.clientUid)
  await own.set({ smsDailyLinks: 2 }).execute()

  expect(await ask(uids)).toEqual({ recordsInserted: 2 })

  await sendTexts(server)
  const texted = await Promise.all(
    wardens.slice(0, 6).map(async ({ mobile }) => (await textsOn(server, mobile)).length),
  )
  expect(texted.toSorted()).toEqual([0, 0, 0, 0, 1, 1])
  const { persons } = await manager(listUnreached, { query: {} })
  expect(persons.map(({ reason }) => reason).toSorted()).toEqual([
    'No mobile number.',
    ...Array(4).fill('The text budget for today is used up.'),
  ])
  expect(await manager(getEventTexts, {})).toMatchObject({ counts: { delivered: 2, skipped: 5 }, over_budget: 4 })
  expect(await linksOf(server, eventUid)).toHaveLength(2)

  // who was sent none need not wait for a minute
  await own.set({ smsDailyLinks: 9 }).execute()
  expect(await ask(uids)).toEqual({ recordsInserted: 4 })
})

test('T32 ten senders at once never promise more links than the day pays for', async ({ server }) => {
  const { org, uids, ask } = await event(server, Array(10).fill({}))
  await server.db.updateTable('client').set({ smsDailyLinks: 4 }).where('uid', '=', org.clientUid).execute()

  const replies = await Promise.all(uids.map((uid) => ask([uid])))

  expect(replies.reduce((sum, { recordsInserted }) => sum + recordsInserted, 0)).toBe(4)
  await sendTexts(server)
  const sent = await server.db.selectFrom('sms').select('status').where('clientUid', '=', org.clientUid).execute()
  expect(sent.map(({ status }) => status).toSorted()).toEqual([
    ...Array(4).fill('delivered'),
    ...Array(6).fill('skipped'),
  ])
})

test('T32 without a provider no link is counted as sent, and the reason is told', async () => {
  await using server = await startTestServer({ config: { ...testConfig, smsGateways: [] } })
  const { uids, manager, ask } = await event(server)

  expect(await ask(uids)).toEqual({ recordsInserted: 0 })

  const { persons } = await manager(listUnreached, { query: {} })
  expect(persons.map(({ reason }) => reason)).toEqual(['No SMS provider is set up.'])
})

test('T32 anyone who empties the pot of sign-in links leaves report-in links alone', async ({ server }) => {
  const { org, wardens, uids, ask } = await event(server)
  const limits = { smsDailySignInLinks: 1, smsDailyLinks: 1 }
  await server.db.updateTable('client').set(limits).where('uid', '=', org.clientUid).execute()
  const phone = wardens[0]?.mobile as string
  const links = [await server.stranger(loginByMobile, { body: { phone } })]
  links.push(await server.stranger(loginByMobile, { body: { phone } }))
  expect(links.map(({ mobile }) => mobile)).toEqual(['valid', 'invalid'])

  expect(await ask(uids)).toEqual({ recordsInserted: 1 })
})
