import { expect } from 'vitest'
import type { SignInUid } from '#kernel/ids.ts'
import { deriveSecrets, sha256 } from '#server/platform/secrets.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { secretKey } from '#server/testing/test-server.ts'
import { createEvent, endEvent } from '../calls/events.ts'
import { writeBroadcastPage } from './broadcast.queries.ts'
import { both, everyone, receivers, textsOf, twoTowers } from './event-texts.fixture.ts'
import { linkToken } from './event-texts.service.ts'

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
    .where('signInUid', '=', signIn?.uid as SignInUid)
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

test('AMB-093 who has no mobile is kept as skipped: no one is believed to have been told', async ({ server }) => {
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

test('AMB-093 with both, a warden gets the alert only, and no one two texts', async ({ server }) => {
  const { org, ofA, mute, inA, silent } = await twoTowers(server)
  // someone with two roles in the event is still one person
  await server.given.assignment(ofA, org, { role: 'Building Warden' })

  const { eventUid } = await server.runningEvent(org, both)

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'warden_alert')).toEqual([ofA.personUid, mute.personUid].toSorted())
  expect(receivers(texts, 'event_message')).toEqual([inA, silent].toSorted())
})

test('EVENT-10 neither: no one is sent anything, and there are no links', async ({ server }) => {
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

test('AMB-093 EVENT-31 an addition tells the added building, and alerts no one', async ({ server }) => {
  const { org, ofB, inB } = await twoTowers(server)
  const { eventUid, manager } = await server.runningEvent(org)

  await manager(
    createEvent,
    startInput(org, { ...everyone, buildings: [org.otherBuildingUid], message: 'Tower B too.' }),
  )

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'event_message')).toEqual([ofB.personUid, inB].toSorted())
  expect(receivers(texts, 'warden_alert')).toEqual([])
})

test('EVENT-52 EVENT-57 a start that comes a moment after another one alerts the wardens of its buildings, and no one twice', async ({
  server,
}) => {
  const { org, ofA, mute, ofB, inB } = await twoTowers(server)
  const second = await server.given.warden(org, { role: 'Chief Warden' })
  const { eventUid } = await server.runningEvent(org, { alertToWarden: 'yes' })

  const towerB = startInput(org, { ...both, buildings: [org.otherBuildingUid] })
  const late = await (await server.as(second))(createEvent, towerB)

  expect(late).toMatchObject({ status: 'event_created', event: { id: eventUid } })
  const texts = await textsOf(server, eventUid)
  const alerted = [ofA, mute, second, ofB].map(({ personUid }) => personUid)
  expect(receivers(texts, 'warden_alert')).toEqual(alerted.toSorted())
  expect(receivers(texts, 'event_message')).toEqual(expect.arrayContaining([inB]))
  expect(receivers(texts, 'event_message')).not.toContain(ofB.personUid)
})

test('AMB-093 a manager who is on duty at another site adds in the name of the warden who started the event', async ({
  server,
}) => {
  const { org } = await twoTowers(server)
  const { siteUid, buildingUid, floorUid } = await server.given.site(org)
  const { chief, manager } = await server.runningEvent({ ...org, siteUid, buildingUid, floorUid })
  await server.given.assignment(chief, org, { role: 'Chief Warden' })
  const { eventUid, signInUid } = await server.runningEvent(org)

  await manager(createEvent, startInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))
  await textsOf(server, eventUid)

  const inThread = server.db.selectFrom('message').selectAll().where('eventUid', '=', eventUid)
  expect(await inThread.execute()).toMatchObject([{ senderSignInUid: signInUid }])
})

test('AMB-093 a removal tells the removed building, site wardens and event managers', async ({ server }) => {
  const { org, ofB, inB } = await twoTowers(server)
  const ofAManaging = await server.given.warden(org, { modules: ['Module_Event_Management'] })
  const ofSite = await server.given.warden(org, { role: 'Chief Warden', modules: ['Module_Warden_Messaging'] })
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager, chief } = await server.runningEvent(org, { buildings })

  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))

  const texts = await textsOf(server, eventUid)
  expect(receivers(texts, 'event_concluded')).toEqual(
    [chief, ofAManaging, ofSite, ofB]
      .map(({ personUid }) => personUid)
      .concat(inB)
      .toSorted(),
  )
})

test('AMB-093 F10 a text is good for fifteen minutes: a late alert misleads', async ({ server }) => {
  const { org } = await twoTowers(server)

  const { eventUid } = await server.runningEvent(org, both)

  const minutes = (await textsOf(server, eventUid)).map(
    ({ validUntil, createdAt }) => ((validUntil?.getTime() ?? 0) - createdAt.getTime()) / 60_000,
  )
  expect(minutes.length).toBeGreaterThan(2)
  for (const each of minutes) expect(each).toBeCloseTo(15, 1)
})

test('AMB-093 F10 of a message that is written late the fifteen minutes began when it was given', async ({
  server,
}) => {
  const { org, inA } = await twoTowers(server)
  const { eventUid } = await server.runningEvent(org, everyone)
  const createdAt = new Date(Date.now() - 600_000)
  await server.db.updateTable('broadcast').set({ createdAt }).where('eventUid', '=', eventUid).execute()

  const late = (await textsOf(server, eventUid)).find(({ personUid }) => personUid === inA)

  expect((late?.validUntil?.getTime() ?? 0) - createdAt.getTime()).toBe(15 * 60_000)
})

test('F3 many workers write a long broadcast, and each person has one text', async ({ server }) => {
  const { org } = await twoTowers(server)
  await server.given.occupants(org, 4_100)
  const { eventUid } = await server.runningEvent(org, everyone)

  const write = async () => {
    while (await writeBroadcastPage(server.db));
  }
  await Promise.all(Array.from({ length: 4 }, write))

  const told = (await textsOf(server, eventUid)).map(({ personUid }) => personUid)
  expect(told.length).toBeGreaterThan(4_100)
  expect(new Set(told).size).toBe(told.length)
}, 60_000)
