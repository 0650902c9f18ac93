import { createEvent, endEvent } from '@evac/contract/events.ts'
import { expect } from 'vitest'
import { deriveSecrets, sha256 } from '../../platform/secrets.ts'
import { endInput, startInput } from '../../testing/event-input.ts'
import { test } from '../../testing/server-test.ts'
import { secretKey, type TestServer } from '../../testing/test-server.ts'
import { linkToken, writeBroadcasts } from './event-texts.service.ts'

const everyone = { broadcastMessage: 'yes' } as const
const both = { ...everyone, alertToWarden: 'yes' } as const

/** Tower A with a warden, one without a mobile, and occupants; Tower B with a warden and an occupant. */
async function twoTowers(server: TestServer, over: { smsAllowed?: boolean } = {}) {
  const org = await server.given.organisation(over)
  const { warden, occupant } = server.given
  const people = {
    ofA: await warden(org),
    mute: await warden(org, { mobile: null }),
    ofB: await warden(org, { floorUid: org.otherFloorUid }),
    inA: await occupant(org),
    silent: await occupant(org, { mobile: null }),
    inB: await occupant(org, { floorUid: org.otherFloorUid }),
  }
  return { org, ...people }
}

async function textsOf({ db }: TestServer, eventUid: string) {
  while (await writeBroadcasts(db));
  return db.selectFrom('sms').selectAll().where('eventUid', '=', eventUid).execute()
}
const receivers = (texts: Awaited<ReturnType<typeof textsOf>>, kind: string) =>
  texts
    .filter((text) => text.kind === kind)
    .map(({ personUid }) => personUid)
    .toSorted()

test('EVENT-52 each warden in scope is sent the alert with their own link; the creator is not', async ({ server }) => {
  const { org, ofA, mute } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org, { alertToWarden: 'yes' })

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'warden_alert')).toEqual([ofA.personUid, mute.personUid].toSorted())
  expect(texts.find(({ personUid }) => personUid === ofA.personUid)).toMatchObject({
    status: 'queued',
    toMobile: expect.stringMatching(/^61/),
    body: 'Evacuate now. Report in: {link}',
    signInUid: (await server.signInOf(eventUid, ofA))?.uid,
  })
  expect(texts.find(({ personUid }) => personUid === mute.personUid)).toMatchObject({
    status: 'skipped',
    reason: 'No mobile number.',
  })
})

test('EVENT-52 T8 of a link only the hash is kept, good for its sign-in for a day', async ({ server }) => {
  const { org, ofA } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org, both)

  const signIn = await server.signInOf(eventUid, ofA)
  const links = server.db
    .selectFrom('reportInLink')
    .selectAll()
    .where('signInUid', '=', signIn?.uid as string)
  const link = await links.executeTakeFirstOrThrow()
  const token = linkToken(deriveSecrets(secretKey).links, link.uid)
  expect(link).toMatchObject({ eventUid, tokenHash: sha256(token) })
  expect((link.expiresAt.getTime() - link.sentAt.getTime()) / 3_600_000).toBeCloseTo(24, 1)
  const journal = await server.db.selectFrom('journal').selectAll().where('eventUid', '=', eventUid).execute()
  expect(JSON.stringify([await textsOf(server, eventUid), journal])).not.toContain(token)
})

test('EVENT-05 AMB-093 everyone in the affected building who has a mobile is told', async ({ server }) => {
  const { org, ofA, inA } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org, everyone)

  const texts = await textsOf(server, eventUid)
  const queued = texts.filter(({ status }) => status === 'queued')
  expect(receivers(queued, 'event_message')).toEqual([ofA.personUid, inA].toSorted())
  expect(new Set(texts.map(({ body }) => body))).toEqual(new Set(['Evacuate now.']))
})

test('AMB-093 who has no mobile is kept as skipped: nobody is believed to have been told', async ({ server }) => {
  const { org, mute, silent } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org, everyone)

  const skipped = (await textsOf(server, eventUid)).filter(({ status }) => status === 'skipped')
  expect(receivers(skipped, 'event_message')).toEqual([mute.personUid, silent].toSorted())
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['No mobile number.']))
})

test('AMB-093 AMB-129 who refused texts is kept as skipped, with the reason, and nothing stands in their thread', async ({
  server,
}) => {
  const { org, inA } = await twoTowers(server)
  const { mobile } = await server.db
    .selectFrom('person')
    .select('mobile')
    .where('uid', '=', inA)
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('smsRefusal')
    .values({ mobile: mobile as string })
    .execute()

  const { eventUid } = await server.runningEvent(org, everyone)

  const texts = (await textsOf(server, eventUid)).filter(({ personUid }) => personUid === inA)
  expect(texts).toMatchObject([{ status: 'skipped', reason: 'SMS refused.', messageSeq: null }])
  const messages = server.db.selectFrom('message').selectAll().where('eventUid', '=', eventUid)
  expect(await messages.execute()).toEqual([])
})

test('AMB-093 with both, a warden gets the alert only, and nobody two texts', async ({ server }) => {
  const { org, ofA, mute, inA, silent } = await twoTowers(server)
  // somebody with two roles in the event is still one person
  await server.given.assignment(ofA, org, { role: 'Building Warden' })

  const { eventUid } = await server.runningEvent(org, both)

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'warden_alert')).toEqual([ofA.personUid, mute.personUid].toSorted())
  expect(receivers(texts, 'event_message')).toEqual([inA, silent].toSorted())
})

test('EVENT-10 neither: nobody is sent anything, and there are no links', async ({ server }) => {
  const { org } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org)

  expect(await textsOf(server, eventUid)).toEqual([])
  const links = server.db.selectFrom('reportInLink').selectAll().where('eventUid', '=', eventUid)
  expect(await links.execute()).toEqual([])
})

test('EVENT-64 API-70 without leave to send texts all are kept as skipped, with the reason', async ({ server }) => {
  const { org } = await twoTowers(server, { smsAllowed: false })

  const { eventUid, manager } = await server.runningEvent(org, both)
  await textsOf(server, eventUid)
  await manager(endEvent, endInput(org, everyone))

  const texts = await textsOf(server, eventUid)
  expect(new Set(texts.map(({ kind }) => kind))).toEqual(new Set(['warden_alert', 'event_message', 'event_concluded']))
  expect(new Set(texts.map(({ status }) => status))).toEqual(new Set(['skipped']))
  expect(texts[0]?.reason).toBe('SMS messaging is not activated.')
})

test('AMB-093 EVENT-31 an addition tells the added building, and alerts nobody', async ({ server }) => {
  const { org, ofB, inB } = await twoTowers(server)
  const { eventUid, manager } = await server.runningEvent(org)

  await manager(createEvent, startInput(org, { ...both, buildings: [org.otherBuildingUid], message: 'Tower B too.' }))

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'event_message')).toEqual([ofB.personUid, inB].toSorted())
  expect(receivers(texts, 'warden_alert')).toEqual([])
})

test('AMB-093 a removal tells the removed building, and site wardens', async ({ server }) => {
  const { org, ofB, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager, chief } = await server.runningEvent(org, { buildings })

  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'event_concluded')).toEqual([chief.personUid, ofB.personUid, inB].toSorted())
})

test('AMB-093 F15 a text is good for fifteen minutes: a late alert misleads', async ({ server }) => {
  const { org } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org, both)

  const minutes = (await textsOf(server, eventUid)).map(
    ({ validUntil, createdAt }) => ((validUntil?.getTime() ?? 0) - createdAt.getTime()) / 60_000,
  )
  expect(minutes.length).toBeGreaterThan(2)
  for (const each of minutes) expect(each).toBeCloseTo(15, 1)
})

test('EVENT-24 what has not gone out when the event ends does not go out any more; the conclusion does', async ({
  server,
}) => {
  const { org, ofA, mute, inA, silent } = await twoTowers(server)
  const { eventUid, manager, chief } = await server.runningEvent(org, both)
  await textsOf(server, eventUid)
  const sent = server.db.updateTable('sms').set({ status: 'handed_over' }).where('eventUid', '=', eventUid)
  await sent.where('personUid', '=', inA).execute()

  await manager(endEvent, endInput(org, everyone))

  const texts = await textsOf(server, eventUid)
  const told = texts.map(({ personUid, kind, status }) => `${personUid} ${kind} ${status}`)
  expect(told).toContain(`${inA} event_message handed_over`)
  expect(told).toContain(`${ofA.personUid} warden_alert skipped`)
  const concluded = texts.filter(({ kind }) => kind === 'event_concluded')
  const everybody = [chief.personUid, ofA.personUid, mute.personUid, inA, silent]
  expect(receivers(texts, 'event_concluded')).toEqual(everybody.toSorted())
  const sendable = concluded.filter(({ toMobile }) => toMobile !== null)
  expect(new Set(sendable.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set([`queued The event at ${org.siteName} has concluded`]),
  )
})

test('EVENT-24 a message that is not written yet when the event ends is written to nobody', async ({ server }) => {
  const { org } = await twoTowers(server)
  const { eventUid, manager } = await server.runningEvent(org, everyone)

  await manager(endEvent, endInput(org))

  expect((await textsOf(server, eventUid)).filter(({ status }) => status === 'queued')).toEqual([])
})

test('EVENT-24 the end of an event leaves the texts of others alone, those that are not written yet among them', async ({
  server,
}) => {
  const { org } = await twoTowers(server)
  const elsewhere = async () => {
    const { siteUid, siteName, buildingUid, floorUid } = await server.given.site(org)
    const place = { ...org, siteUid, siteName, buildingUid, floorUid }
    const occupant = await server.given.occupant(place)
    return { occupant, ...(await server.runningEvent(place, everyone)) }
  }
  const written = await elsewhere()
  await textsOf(server, written.eventUid)
  const unwritten = await elsewhere()
  const { manager } = await server.runningEvent(org, everyone)

  await manager(endEvent, endInput(org))

  for (const { eventUid, occupant } of [written, unwritten])
    expect(await textsOf(server, eventUid)).toMatchObject([{ personUid: occupant, status: 'queued' }])
})

test('EVENT-61 what is unsent to a removed building is cancelled, the rest goes on', async ({ server }) => {
  const { org, inA, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { ...everyone, buildings })
  await textsOf(server, eventUid)

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  const told = (await textsOf(server, eventUid)).map((text) => `${text.personUid} ${text.status} ${text.reason}`)
  expect(told).toContain(`${inA} queued null`)
  expect(told).toContain(`${inB} skipped The building has left the event.`)
})

test('EVENT-61 what a removed building was sent already stays as it was, for those who look whom to call', async ({
  server,
}) => {
  const { org, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { ...everyone, buildings })
  await textsOf(server, eventUid)
  await server.db.updateTable('sms').set({ status: 'delivered' }).where('personUid', '=', inB).execute()

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  const told = (await textsOf(server, eventUid)).map(({ personUid, status }) => `${personUid} ${status}`)
  expect(told).toContain(`${inB} delivered`)
})

test('EVENT-61 a building that leaves before its texts are written gets only the conclusion', async ({ server }) => {
  const { org, inA, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { ...everyone, buildings })

  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))

  const told = (await textsOf(server, eventUid)).map(({ personUid, kind }) => `${personUid} ${kind}`)
  expect(told).toContain(`${inA} event_message`)
  expect(told).toContain(`${inB} event_concluded`)
  expect(told).not.toContain(`${inB} event_message`)
})

test('EVENT-24 EVENT-61 the conclusion to a building that left is not lost when the event ends right after', async ({
  server,
}) => {
  const { org, ofB, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { buildings })
  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))

  await manager(endEvent, endInput(org))

  const told = (await textsOf(server, eventUid)).map(({ personUid, kind, status }) => `${personUid} ${kind} ${status}`)
  expect(told).toContain(`${inB} event_concluded queued`)
  expect(told).toContain(`${ofB.personUid} event_concluded queued`)
})

test('F3 many workers write a long broadcast, and each person has one text', async ({ server }) => {
  const { org } = await twoTowers(server)
  await server.given.occupants(org, 4_100)
  const { eventUid } = await server.runningEvent(org, everyone)

  const write = async () => {
    while (await writeBroadcasts(server.db));
  }
  await Promise.all(Array.from({ length: 4 }, write))

  const told = (await textsOf(server, eventUid)).map(({ personUid }) => personUid)
  expect(told.length).toBeGreaterThan(4_100)
  expect(new Set(told).size).toBe(told.length)
}, 60_000)
