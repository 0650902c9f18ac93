import { expect } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { pollEvent } from '#features/live-updates/calls/realtime.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { WardenOver } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendToWarden } from '../calls/messaging.ts'
import {
  annToBob,
  conversation,
  publicationsOn,
  replyFrom,
  toBob,
  withEvacuee,
  withWarden,
} from './messaging.fixture.ts'

/** A warden on duty on the first floor, a colleague, and people on two floors. */
async function onDuty(server: TestServer, over: WardenOver = {}) {
  const org = await server.given.organisation()
  const { given } = server
  const [warden, colleague] = [await given.warden(org, over), await given.warden(org, { floorUid: org.floors[1] })]
  const [here, above] = [await given.occupant(org), await given.occupant(org, { floorUid: org.floors[1] })]
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const signInOf = async (who: typeof warden) => (await server.signInOf(eventUid, who))?.uid as string
  const unread = async () => {
    const { unread_messages_from_wardens, warden_unread_msg, evacuee_unread_msg } = await call(pollEvent, {})
    return { from: unread_messages_from_wardens, wardens: warden_unread_msg, evacuees: evacuee_unread_msg }
  }
  return { org, warden, colleague, here, above, eventUid, call, signInOf, unread }
}
const nothing = { from: [], wardens: false, evacuees: false }

test('RT-17 AMB-080 unread texts of a warden name the sender, once, by assignment', async ({ server }) => {
  const { org, warden, colleague, eventUid, signInOf, unread } = await onDuty(server)
  const text = {
    clientUid: org.clientUid,
    senderSignInUid: await signInOf(colleague),
    recipientSignInUid: await signInOf(warden),
  }

  await server.given.wardenMessage(eventUid, text)
  await server.given.wardenMessage(eventUid, text)

  expect(await unread()).toEqual({ from: [colleague.assignmentUid], wardens: true, evacuees: false })
})

test('RT-17 texts that were read, or sent by oneself, are not unread', async ({ server }) => {
  const { org, warden, colleague, eventUid, signInOf, unread } = await onDuty(server)
  const [own, other] = [await signInOf(warden), await signInOf(colleague)]
  const { wardenMessage } = server.given

  await wardenMessage(eventUid, {
    clientUid: org.clientUid,
    senderSignInUid: other,
    recipientSignInUid: own,
    readAt: new Date(),
  })
  await wardenMessage(eventUid, { clientUid: org.clientUid, senderSignInUid: own, recipientSignInUid: other })

  expect(await unread()).toEqual(nothing)
})

test('RT-17 AMB-080 a message that comes in names those whose messages are unread, not who was read', async ({
  server,
}) => {
  const c = await conversation(server)
  await annToBob(c)
  await withWarden(c.asBob, c.ann)

  await c.manager(sendToWarden, { body: { ...toBob(c).body, from: c.signInUid } })

  const told = async () => (await publicationsOn(server, `warden:${c.signIns.bob}`)).at(-1)
  await expect.poll(told).toMatchObject({ unread_messages_from_wardens: [c.chief.assignmentUid] })
})

test('RT-18 AMB-128 an unread reply from the own floor raises the banner; outgoing and read ones do not', async ({
  server,
}) => {
  const { here, eventUid, unread } = await onDuty(server)
  await server.given.evacueeMessage(eventUid, here, { direction: 'out' })
  await server.given.evacueeMessage(eventUid, here, { direction: 'in', readAt: new Date() })
  expect(await unread()).toEqual(nothing)

  await server.given.evacueeMessage(eventUid, here, { direction: 'in' })

  expect(await unread()).toEqual({ ...nothing, evacuees: true })
})

test('AMB-128 a reply of someone who has left the event raises no banner', async ({ server }) => {
  const { here, eventUid, unread } = await onDuty(server)
  await server.given.evacueeMessage(eventUid, here, { direction: 'in' })
  await server.db.updateTable('evacuee').set({ active: false }).where('personUid', '=', here).execute()

  expect(await unread()).toEqual(nothing)
})

test('RT-18 AMB-128 EVENT-61 what is unread of someone who has left the event keeps no banner up', async ({
  server,
}) => {
  const { here, above, warden, eventUid, call, signInOf } = await onDuty(server, { role: 'Chief Warden' })
  for (const person of [here, above]) await server.given.evacueeMessage(eventUid, person, { direction: 'in' })
  await server.db.updateTable('evacuee').set({ active: false }).where('personUid', '=', above).execute()

  await withEvacuee(call, here)

  const told = await publicationsOn(server, `warden:${await signInOf(warden)}`)
  expect(told.at(-1)).toMatchObject({ evacuee_unread_msg: false })
})

test('AMB-128 AMB-126 what no one read in an event that has ended raises no banner in the next', async ({ server }) => {
  const c = await conversation(server)
  await replyFrom(server, c.mobile, 'Where to?')
  expect(await c.manager(pollEvent, {})).toMatchObject({ evacuee_unread_msg: true })
  await c.manager(endEvent, endInput(c.org))

  await c.manager(createEvent, startInput(c.org))

  expect(await c.manager(pollEvent, {})).toMatchObject({ evacuee_unread_msg: false })
})

test('RT-18 AMB-128 of two who read the last two replies at once the later one takes the banner down', async ({
  server,
}) => {
  const c = await conversation(server)
  const second = await server.given.occupant(c.org, { mobile: '61491570158' })
  await server.db
    .insertInto('evacuee')
    .columns([
      'clientUid',
      'eventUid',
      'personUid',
      'sortName',
      'homeBuildingUid',
      'homeFloorUid',
      'buildingUid',
      'floorUid',
    ])
    .expression((eb) =>
      eb
        .selectFrom('evacuee')
        .select(['clientUid', 'eventUid', eb.val(second).as('personUid'), eb.val('second').as('sortName')])
        .select(['homeBuildingUid', 'homeFloorUid', 'buildingUid', 'floorUid'])
        .where('eventUid', '=', c.eventUid)
        .where('personUid', '=', c.person),
    )
    .execute()
  for (const mobile of [c.mobile, '61491570158']) await replyFrom(server, mobile, 'Where to?')
  const holder = await server.database.owner.pg.connect()
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 128))', [c.eventUid])

  const opened = [withEvacuee(c.asAnn, c.person), withEvacuee(c.manager, second)]
  await expect.poll(() => waitingForLocks(server)).toBe(2)
  await holder.query('rollback')
  holder.release()
  await Promise.all(opened)

  const banners = (await publicationsOn(server, `warden:${c.signIns.ann}`)).filter(
    (told) => 'evacuee_unread_msg' in told,
  )
  expect(banners.at(-1)).toMatchObject({ evacuee_unread_msg: false })
})

const waitingForLocks = async ({ database }: TestServer) => {
  const { rows } = await database.owner.pg.query<{ waiting: number }>(
    `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.waiting
}

test('AMB-128 a reply from another floor counts for those who wrote in that thread, and for the whole site', async ({
  server,
}) => {
  const { here, above, warden, eventUid, signInOf, unread } = await onDuty(server)
  const chief = await onDuty(server, { role: 'Chief Warden' })
  await server.given.evacueeMessage(eventUid, above, { direction: 'in' })
  await server.given.evacueeMessage(chief.eventUid, chief.above, { direction: 'in' })
  // to someone else
  await server.given.evacueeMessage(eventUid, here, { direction: 'out', senderSignInUid: await signInOf(warden) })

  expect(await unread()).toEqual(nothing)
  expect(await chief.unread()).toEqual({ ...nothing, evacuees: true })
  await server.given.evacueeMessage(eventUid, above, { direction: 'out', senderSignInUid: await signInOf(warden) })
  expect(await unread()).toEqual({ ...nothing, evacuees: true })
})

test('AMB-128 a warden of the building hears of each of its floors', async ({ server }) => {
  const { above, eventUid, unread } = await onDuty(server, { role: 'Building Warden' })

  await server.given.evacueeMessage(eventUid, above, { direction: 'in' })

  expect(await unread()).toEqual({ ...nothing, evacuees: true })
})

test('AMB-128 AUTH-02 without the flag for messages of evacuees there is no banner for them', async ({ server }) => {
  const { here, eventUid, unread } = await onDuty(server, { modules: ['Module_Floor_Evacuation'] })

  await server.given.evacueeMessage(eventUid, here, { direction: 'in' })

  expect(await unread()).toEqual(nothing)
})

test('RT-18 AMB-128 AUTH-02 a reply is told to those on duty with the flag, and to no one else of the floor', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { warden, occupant } = server.given
  const wardens = [await warden(org), await warden(org, { modules: ['Module_Warden_Messaging'] }), await warden(org)]
  const mobile = '61491570160'
  await occupant(org, { mobile })
  const { eventUid } = await server.runningEvent(org)
  for (const one of wardens.slice(0, 2)) await server.onDuty(one)

  await replyFrom(server, mobile, 'Where to?')

  const banners = async (one: (typeof wardens)[0]) => {
    const journal = await server.journalOf((await server.signInOf(eventUid, one))?.uid as string)
    return journal.filter(({ action }) => action === 'unread_changed').map(({ after }) => after)
  }
  expect(await Promise.all(wardens.map(banners))).toEqual([
    [{ evacuee_unread_msg: true, evacuee_unread_count: 1 }],
    [],
    [],
  ])
})

test('UX-84 AMB-128 the evacuees who wrote are counted, once each, up to ten; a phone hears of it when the number changes', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const mobiles = Array.from({ length: 12 }, (_, n) => `614915702${10 + n}`)
  const people: PersonUid[] = []
  for (const mobile of mobiles) people.push(await server.given.occupant(org, { mobile }))
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const signIn = (await server.signInOf(eventUid, warden))?.uid as string
  const heard = async () =>
    (await publicationsOn(server, `warden:${signIn}`)).flatMap((told) => told.evacuee_unread_count ?? [])

  for (const mobile of mobiles) {
    await replyFrom(server, mobile, 'Where to?')
    await replyFrom(server, mobile, 'And then?')
  }

  expect(await call(pollEvent, {})).toMatchObject({ evacuee_unread_msg: true, evacuee_unread_count: 10 })
  await expect.poll(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  for (const person of people) await withEvacuee(call, person)
  await expect.poll(async () => (await heard()).slice(10)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  expect(await call(pollEvent, {})).toMatchObject({ evacuee_unread_msg: false, evacuee_unread_count: 0 })
})
