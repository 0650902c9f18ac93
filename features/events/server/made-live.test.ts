import { expect } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { listOccupants, setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { getChannels, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { createEvent, endEvent, listEventSites, makeEventLive, noteLiveSeen } from '../calls/events.ts'
import { sendReportInLinks } from '../calls/report-in-links.ts'
import { writeBroadcastPage } from './broadcast.queries.ts'

const words = 'THIS IS NOT A DRILL. Evacuate now.'

/** A drill in Tower A with a warden on duty, one who is not, and people. */
async function drill(server: TestServer, before: (org: Organisation) => Promise<unknown> = async () => {}) {
  const org = await server.given.organisation()
  await before(org)
  const [ada, ben] = [await server.given.warden(org, { firstName: 'Ada' }), await server.given.warden(org)]
  const persons = await server.given.occupants(org, 4)
  const running = await server.runningEvent(org, { kind: 'drill', broadcastMessage: 'yes' })
  const call = await server.onDuty(ada)
  const { eventUid, manager } = running
  const record = (nth: number, status: string, headers = {}) =>
    call(setPersonStatus, { body: { personId: persons[nth] as never, status, floorId: org.floorUid } }, { headers })
  const makeLive = (by = manager) => by(makeEventLive, { body: { event: eventUid, message: words } }, withKey())
  return { org, ada, ben, persons, call, record, makeLive, ...running }
}
const seen = (secondsAgo: number) => ({
  'x-observed-at': new Date(Date.now() - secondsAgo * 1000).toISOString(),
  'x-sent-at': new Date().toISOString(),
})

test('KIND-13 KIND-14 everyone is unknown where they are, without refusals; what the drill knew is kept', async ({
  server,
}) => {
  const { org, call, record, persons, makeLive, eventUid, chief } = await drill(server)
  await record(0, 'safe')
  await record(1, 'in danger')
  await call(toggleRefusal, { body: { person: persons[2] as never, floorId: org.floorUid } })
  await call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } })

  expect(await makeLive()).toEqual({ status: 'event_live', message: 'The drill is a live event now.' })

  const { persons: shown, counts } = await call(listOccupants, { query: { floor: org.floorUid } })
  expect(counts).toEqual({ safe: 0, unknown: 4, danger: 0, total: 4 })
  expect(shown.map(({ reported }) => reported)).toEqual([false, false, false, false])
  const knew = (nth: number) => shown.find(({ id }) => id === persons[nth])?.in_drill?.status
  expect([knew(0), knew(1), knew(2), knew(3)]).toEqual(['safe', 'danger', undefined, undefined])
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  const floors = server.db.selectFrom('eventFloor').select('floorStatusUid').where('eventUid', '=', eventUid)
  expect(new Set((await floors.execute()).map((row) => row.floorStatusUid))).toEqual(new Set([org.statusUids[0]]))
  const [told] = (await server.journalOf(eventUid)).filter(({ action }) => action === 'drill_made_live')
  expect(told).toMatchObject({ actorPersonUid: chief.personUid, after: { kind: 'live', message: words } })
  expect(told?.after).toMatchObject({ tally: [[org.floorUid, -1, 2, -1, -1]] })

  await record(0, 'safe')
  const { persons: now } = await call(listOccupants, { query: { floor: org.floorUid } })
  expect(now.find(({ id }) => id === persons[0])?.in_drill).toBeUndefined()
})

test('KIND-14: who leaves the event with their building and comes back has nothing of the drill on the card', async ({
  server,
}) => {
  const { org, manager, record, call, persons, makeLive } = await drill(server)
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  await record(0, 'safe')
  await makeLive()

  await manager(endEvent, endInput(org))
  await manager(createEvent, startInput(org))
  await call(reportIn, {})

  const { persons: shown } = await call(listOccupants, { query: { floor: org.floorUid } })
  expect(shown.find(({ id }) => id === persons[0])).toMatchObject({ reported: false, status: 'unknown' })
  expect(shown.filter(({ in_drill }) => in_drill)).toEqual([])
})

test('KIND-13 a floor that was added during the drill stays unknown to the event: no one could be counted there', async ({
  server,
}) => {
  const { org, call, persons, makeLive, eventUid } = await drill(server)
  const added = await server.given.floor(org, 'Level 9', 9)

  await makeLive()

  const body = { personId: persons[0] as never, status: 'safe', floorId: added }
  await expect(call(setPersonStatus, { body })).rejects.toMatchObject({ code: 'not_found' })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('KIND-13 attendance, channels and sessions stay; phones learn by channel list and poll', async ({ server }) => {
  const { ada, call, makeLive, eventUid } = await drill(server)
  const before = await call(getChannels, {})
  expect(before).toMatchObject({ event_kind: 'drill', made_live: null })

  await makeLive()

  const after = await call(getChannels, {})
  expect(after).toEqual({
    ...before,
    event_kind: 'live',
    made_live: { event: eventUid, at: expect.stringMatching(/^\d{4}-/) },
  })
  expect(await call(pollEvent, {})).toMatchObject({ event_kind: 'live' })
  expect(await server.signInOf(eventUid, ada)).toMatchObject({ onDuty: true, closedAt: null })
})

test('KIND-13 queued texts of the drill are skipped; the message goes to everyone, unprefixed, with links for those not on duty', async ({
  server,
}) => {
  const { ada, ben, makeLive, eventUid } = await drill(server)
  await makeLive()
  while (await writeBroadcastPage(server.db));
  await sendTexts(server)

  const texts = await server.db.selectFrom('sms').selectAll().where('eventUid', '=', eventUid).execute()
  const drills = texts.filter(({ body }) => !body.startsWith('THIS IS NOT'))
  expect(new Set(drills.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
    new Set(['skipped: The drill became a live event.']),
  )
  const live = texts.filter((text) => !drills.includes(text))
  expect(new Set(live.map(({ prefix, status }) => `${prefix}${status}`))).toEqual(new Set(['delivered']))
  expect(live).toHaveLength(6)
  expect(await textsOn(server, ada.mobile)).toEqual([words])
  expect(await textsOn(server, ben.mobile)).toEqual([expect.stringContaining(`${words} Report in: `)])
})

test('KIND-13 a text of the drill that a worker had claimed is not tried again', async ({ server }) => {
  const { makeLive, eventUid } = await drill(server)
  const claimed = { claimedUntil: new Date(Date.now() + 3_600_000), attempts: 1 }
  await server.db.updateTable('sms').set(claimed).where('eventUid', '=', eventUid).execute()
  await makeLive()
  const late = { claimedUntil: new Date(Date.now() - 3_600_000) }
  await server.db.updateTable('sms').set(late).where('eventUid', '=', eventUid).where('attempts', '=', 1).execute()

  await sendTexts(server)

  const texts = server.db.selectFrom('sms').select(['status', 'reason']).where('eventUid', '=', eventUid)
  expect(new Set((await texts.where('attempts', '=', 2).execute()).map(({ reason }) => reason))).toEqual(
    new Set(['The drill became a live event.']),
  )
})

test('KIND-13 a text that is written while the drill becomes live is skipped, though its transaction is the younger one', async ({
  server,
}) => {
  const { ben, manager, persons, makeLive, eventUid, signInUid } = await drill(server)
  const person = await server.evacueeOf(eventUid, persons[0] as never)
  const held = await server.hold('evacuee', person?.uid as string)
  const live = makeLive()
  await held.waiting(1)
  const wanted = (await server.signInOf(eventUid, ben))?.uid as never
  const body = { warden_sign_in_uids: [wanted], sender_warden_sign_in_uid: signInUid }
  expect(await manager(sendReportInLinks, { body }, withKey())).toMatchObject({ recordsInserted: 1 })
  await held.release()
  await live

  await sendTexts(server)

  const texts = server.db
    .selectFrom('sms')
    .select(['status', 'reason', 'createdAt', 'kind'])
    .where('eventUid', '=', eventUid)
  const [link] = await texts.where('kind', '=', 'report_in_link').execute()
  const event = server.db.selectFrom('event').select('liveFrom').where('uid', '=', eventUid)
  expect(link?.createdAt.getTime()).toBeGreaterThan((await event.executeTakeFirst())?.liveFrom?.getTime() ?? Infinity)
  expect(link).toMatchObject({ status: 'skipped', reason: 'The drill became a live event.' })
  const onBen = (await textsOn(server, ben.mobile)).map((text) => text.slice(0, 12))
  expect(onBen).toEqual(['THIS IS NOT '])
})

test('KIND-16 a "safe" or "unknown" seen in the drill changes nothing afterwards, a danger counts', async ({
  server,
}) => {
  const { record, persons, makeLive, eventUid } = await drill(server)
  await server.db
    .updateTable('event')
    .set({ beganAt: new Date(Date.now() - 3_600_000) })
    .where('uid', '=', eventUid)
    .execute()
  await makeLive()

  expect(await record(0, 'safe', seen(60))).toMatchObject({ superseded: true, person: { status: 'unknown' } })
  expect(await record(1, 'in danger', seen(60))).toMatchObject({ superseded: false, person: { status: 'danger' } })
  expect(await record(2, 'safe')).toMatchObject({ superseded: false, person: { status: 'safe' } })

  expect(await server.evacueeOf(eventUid, persons[1] as never)).toMatchObject({ status: 'danger' })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('KIND-13 KIND-15 KIND-16 many at once: one change that both managers have seen, and no "safe" of the drill slips in while it happens', async ({
  server,
}) => {
  const deputies: Warden[] = []
  const { manager, record, persons, makeLive, eventUid } = await drill(server, async (org) =>
    deputies.push(await server.given.warden(org, { role: 'Chief Warden' })),
  )
  const other = await server.onDuty(deputies[0] as Warden)
  await server.db
    .updateTable('event')
    .set({ beganAt: new Date(Date.now() - 3_600_000) })
    .where('uid', '=', eventUid)
    .execute()

  const [answers] = await Promise.all([
    Promise.all([makeLive(manager), makeLive(other), makeLive(manager), makeLive(other)]),
    ...Array.from({ length: 40 }, (_, n) => record(n % 4, 'safe', seen(30))),
  ])

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['event_live']))
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'drill_made_live')
  expect(told).toHaveLength(1)
  const { live } = (await manager(listEventSites, {})).data.activeEvent ?? {}
  expect(live).toMatchObject({ seen: 2, wardens: 3, not_seen: [expect.stringMatching(/^Ada/)] })
  for (const person of persons)
    expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'unknown', refused: false })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('KIND-15 wardens on duty say that they have read it, once; managers see how many and who has not', async ({
  server,
}) => {
  const { call, manager, makeLive, eventUid, signInUid } = await drill(server)
  await makeLive()
  const live = async () => (await manager(listEventSites, {})).data.activeEvent?.live
  expect(await live()).toMatchObject({ seen: 1, wardens: 2, not_seen: [expect.stringMatching(/^Ada/)] })

  const input = { body: { event: eventUid } }
  await Promise.all(Array.from({ length: 5 }, () => call(noteLiveSeen, input, withKey())))

  expect(await live()).toMatchObject({ seen: 2, wardens: 2, not_seen: [] })
  expect((await call(getChannels, {})).made_live).toBeNull()
  const said = await server.db
    .selectFrom('journal')
    .select('subjectUid')
    .where('eventUid', '=', eventUid)
    .where('action', '=', 'live_seen')
    .execute()
  expect(said).toHaveLength(1)
  expect(said[0]?.subjectUid).not.toBe(signInUid)
})

test('KIND-12 KIND-17 a manager of part of the site makes the drill live, in it or beside it, once of many at once', async ({
  server,
}) => {
  for (const place of ['in the drill', 'beside it'] as const) {
    const { org, persons, makeLive, eventUid } = await drill(server)
    const buildingUid = place === 'in the drill' ? org.buildingUid : org.otherBuildingUid
    const one = { role: 'Building Warden', buildingUid, modules: ['Module_Event_Management'] } as const
    const parts = [await server.given.warden(org, one), await server.given.warden(org, one)]
    const callers = [await server.as(parts[0] as Warden), await server.as(parts[1] as Warden)]

    const answers = await Promise.all([...callers, ...callers].map((part) => makeLive(part)))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['event_live']))
    expect((await server.journalOf(eventUid)).filter(({ action }) => action === 'drill_made_live')).toHaveLength(1)
    expect(await server.evacueeOf(eventUid, persons[0] as never)).toMatchObject({ status: 'unknown' })
  }
})

test('KIND-12 a manager of another site, a warden who manages nothing, and one of another organisation make no drill live', async ({
  server,
}) => {
  const { org, ben, makeLive } = await drill(server)
  const elsewhere = await server.given.site(org)
  const foreign = await server.given.organisation()
  const others = [
    await server.given.warden({ ...org, ...elsewhere }, { role: 'Chief Warden' }),
    await server.given.warden(foreign, { role: 'Chief Warden' }),
  ]

  for (const other of others)
    await expect(makeLive(await server.as(other))).rejects.toMatchObject({ code: 'not_found' })
  await expect(makeLive(await server.as(ben))).rejects.toMatchObject({ code: 'forbidden' })
})

test('KIND-12 a live event never becomes a drill, and one that has ended becomes nothing', async ({ server }) => {
  const { org, manager, makeLive } = await drill(server)
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))

  await makeLive()
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  await expect(makeLive()).rejects.toMatchObject({ code: 'not_found' })

  const { event } = await manager(createEvent, startInput(org, { kind: 'live' }))
  const input = { body: { event: event?.id as never, message: words } }
  await expect(manager(makeEventLive, input)).rejects.toMatchObject({
    code: 'invalid_transition',
    status: 409,
    message: 'A live event cannot become a drill.',
  })
})

test('KIND-17 a start at the site of a drill is answered event_running, with the drill', async ({ server }) => {
  const { org, manager, eventUid } = await drill(server)
  const input = startInput(org, { eventType: org.otherEventTypeUid, kind: 'live' })

  expect(await manager(createEvent, input)).toMatchObject({
    status: 'event_running',
    event: { id: eventUid, kind: 'drill' },
  })
})
