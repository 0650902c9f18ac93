import { expect } from 'vitest'
import { getCommand, takeCommand } from '#features/command/calls/command.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import {
  answerOffer,
  claimFloor,
  getFloorCoverage,
  giveBackFloor,
  listFloorCandidates,
  offerFloor,
} from '../calls/coverage.ts'
import { givenCoverage } from './coverage.fixture.ts'

/** The offers of the event were made so many seconds earlier. */
const age = ({ db }: TestServer, eventUid: string, seconds: number) =>
  db
    .updateTable('floorOffer')
    .set({ offeredAt: new Date(Date.now() - seconds * 1000), endsAt: new Date(Date.now() - (seconds - 60) * 1000) })
    .where('eventUid', '=', eventUid as never)
    .execute()

test('COV-07 COV-08 COV-12 an asked warden sees the floor, takes it with one tap, and both wardens are told', async ({
  server,
}) => {
  const { org, join, manager, managerUid } = await givenCoverage(server)
  const kim = await join()
  const [, level1] = org.floors

  const { offer } = await manager(offerFloor, { body: { floorId: level1, wardenSignInUid: kim.signInUid } })
  const brief = await kim.call(getBrief, {})
  const answer = await kim.call(answerOffer, { body: { offer: offer.id, take: 'yes' } })
  const after = await kim.call(getBrief, {})

  expect(offer.name).toBe(kim.name)
  expect(brief.offer).toMatchObject({ id: offer.id, place: { id: level1, name: 'Level 1' }, taken_by: null })
  expect(answer).toEqual({ offer: { id: offer.id, answer: 'yes' } })
  expect([after.offer, after.claims.map(({ name }) => name)]).toEqual([null, ['Level 1']])
  const told = (await server.journalOf(kim.signInUid)).filter(({ action }) => action.startsWith('floor_offer'))
  expect(told.map(({ action, after }) => [action, after])).toEqual([
    ['floor_offered', { offer_uid: offer.id, place_uid: level1, offered_by_uid: managerUid }],
    ['floor_offer_answered', { offer_uid: offer.id, place_uid: level1, offered_by_uid: managerUid, answer: 'yes' }],
  ])
})

test('COV-09 a floor has one open offer: a second manager reads who was asked; after 60 s the next one may be', async ({
  server,
}) => {
  const { org, join, manager, eventUid } = await givenCoverage(server)
  const [kim, lee] = [await join({ firstName: 'Kim' }), await join({ firstName: 'Lee' })]
  const [, level1] = org.floors
  const ask = (wardenSignInUid: typeof kim.signInUid) =>
    manager(offerFloor, { body: { floorId: level1, wardenSignInUid } })

  const both = await Promise.allSettled([ask(kim.signInUid), ask(lee.signInUid)])
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject([
    { code: 'already_offered', message: expect.stringMatching(/^(Kim|Lee) \d+ was asked \d s ago\.$/) },
  ])
  await age(server, eventUid, 61)
  const first = both.find((one) => one.status === 'fulfilled')
  const asked = refused[0]?.message.startsWith('Kim') ? kim : lee
  const next = asked === kim ? lee : kim
  await ask(next.signInUid)

  // COV-12: a late yes counts while the floor is free
  await asked.call(answerOffer, { body: { offer: first?.value.offer.id as never, take: 'yes' } })
  expect((await next.call(getBrief, {})).offer).toMatchObject({ taken_by: asked.name })
  await expect(ask(next.signInUid)).rejects.toMatchObject({ code: 'floor_covered' })
})

test('COV-08 who asks reads who was asked, who has not answered after 60 s, and who cannot, until the floor is taken', async ({
  server,
}) => {
  const { org, join, manager, eventUid } = await givenCoverage(server)
  const [kim, lee] = [await join({ firstName: 'Kim' }), await join({ firstName: 'Lee' })]
  const floorId = org.floors[1]
  const ask = (wardenSignInUid: typeof kim.signInUid) => manager(offerFloor, { body: { floorId, wardenSignInUid } })
  const told = async () => {
    const { gaps } = await manager(getFloorCoverage, {})
    return gaps.flatMap(({ id, asked, asked_before }) => (id === floorId ? [[asked?.name, asked_before]] : []))
  }
  const began = server.db.updateTable('eventBuilding').set({ addedAt: new Date(Date.now() - 600_000) })
  await began.where('eventUid', '=', eventUid).execute()
  expect(await told()).toEqual([[undefined, null]])

  const { offer: first } = await ask(kim.signInUid)
  expect(await told()).toEqual([[kim.name, null]])
  await age(server, eventUid, 61)
  expect(await told()).toEqual([[undefined, { name: kim.name, said_no: false }]])
  const { candidates } = await manager(listFloorCandidates, { params: { floorId } })
  expect(candidates.map(({ name }) => name)).toContain(lee.name)

  const { offer: second } = await ask(lee.signInUid)
  expect(await told()).toEqual([[lee.name, null]])
  await lee.call(answerOffer, { body: { offer: second.id, take: 'no' } })
  expect(await told()).toEqual([[undefined, { name: lee.name, said_no: true }]])

  // COV-12: the late yes of who had not answered
  await kim.call(answerOffer, { body: { offer: first.id, take: 'yes' } })
  expect(await told()).toEqual([])
  await kim.call(giveBackFloor, { body: { floorId } })
  // a new gap: the warden who was asked for the last one is told no more
  expect(await told()).toEqual([[undefined, null]])
})

test('COV-12 COV-11 an offer and a claim race: the floor has one warden, and no offer stays open', async ({
  server,
}) => {
  const { org, join, manager, eventUid } = await givenCoverage(server)
  const [kim, lee] = [await join(), await join()]
  const body = { floorId: org.floors[1] }
  for (let round = 0; round < 5; round++) {
    await Promise.allSettled([
      manager(offerFloor, { body: { ...body, wardenSignInUid: lee.signInUid } }),
      kim.call(claimFloor, { body }),
    ])
    const open = await server.db
      .selectFrom('floorOffer')
      .select('uid')
      .where('eventUid', '=', eventUid)
      .where('answeredAt', 'is', null)
      .execute()
    expect(open).toEqual([])
    await server.db.deleteFrom('floorClaim').where('eventUid', '=', eventUid).execute()
  }
})

test('COV-09 COV-08 who went off duty, or is of another event, is not asked; no one answers for another', async ({
  server,
}) => {
  const { org, join, manager } = await givenCoverage(server)
  const other = await givenCoverage(server)
  const [kim, lee, stranger] = [await join({ firstName: 'Kim' }), await join(), await other.join()]
  const ask = (wardenSignInUid: typeof kim.signInUid) =>
    manager(offerFloor, { body: { floorId: org.floors[1], wardenSignInUid } })
  const { offer } = await ask(lee.signInUid)

  const answer = (call: typeof kim.call) => call(answerOffer, { body: { offer: offer.id, take: 'yes' } })
  await expect(answer(kim.call)).rejects.toMatchObject({ code: 'not_found' })
  await expect(answer(stranger.call)).rejects.toMatchObject({ code: 'not_found' })
  await lee.call(answerOffer, { body: { offer: offer.id, take: 'no' } })
  await kim.call(logout, {})
  await expect(ask(kim.signInUid)).rejects.toMatchObject({
    code: 'not_on_duty',
    message: `${kim.name} is not on duty.`,
  })
  await expect(ask(stranger.signInUid)).rejects.toMatchObject({ code: 'not_found' })
})

test('COV-05 candidates come in order of nearness with the reason, and not those who hold three or said no', async ({
  server,
}) => {
  const { org, join, manager } = await givenCoverage(server)
  const [ground, level1, level2] = org.floors
  const status = await server.db
    .updateTable('floorStatus')
    .set({ meansClear: true })
    .where('uid', '=', org.statusUids[1])
    .returning('uid')
    .executeTakeFirstOrThrow()
  const far = await join({ floorUid: ground, firstName: 'Far' })
  const near = await join({ floorUid: level1, firstName: 'Near' })
  const wide = await join({ role: 'Building Warden', firstName: 'Wide' })
  const read = () => manager(listFloorCandidates, { params: { floorId: level2 } })
  const names = (list: { candidates: { name: string; reason: string }[] }) =>
    list.candidates.map(({ name, reason }) => `${name.split(' ')[0]}: ${reason}`)

  // who has no floor of their own is free
  expect(names(await read())).toEqual([
    'Wide: Building Warden',
    'Near: Level 1, not cleared, 1 floor away',
    'Far: Ground, not cleared, 2 floors away',
    expect.stringMatching(/^Chief: /),
  ])
  await server.db.updateTable('eventFloor').set({ floorStatusUid: status.uid }).where('floorUid', '=', ground).execute()
  expect(names(await read())[0]).toBe('Far: Ground, cleared, 2 floors away')

  const { offer } = await manager(offerFloor, { body: { floorId: level2, wardenSignInUid: far.signInUid } })
  expect(names(await read())[0]).toBe('Wide: Building Warden')
  await far.call(answerOffer, { body: { offer: offer.id, take: 'no' } })
  expect(names(await read()).some((name) => name.startsWith('Far'))).toBe(false)
  expect([near, wide]).toHaveLength(2)
})

test('COV-05 CMD-07 the person in command now comes last, and the one who began the event no longer does', async ({
  server,
}) => {
  const { org, join, manager } = await givenCoverage(server)
  const modules = ['Module_Event_Management', 'Module_Floor_Evacuation'] as const
  const deputy = await join({ role: 'Chief Warden', modules, firstName: 'Dee' })
  await join({ floorUid: org.floors[0], firstName: 'Far' })
  const names = async () => {
    const { candidates } = await manager(listFloorCandidates, { params: { floorId: org.floors[2] } })
    return candidates.map(({ name }) => name.split(' ')[0])
  }
  expect(await names()).toEqual(['Dee', 'Far', 'Chief'])

  const { turn } = (await manager(getCommand, {})).turn
  await deputy.call(takeCommand, { body: { turn } })

  expect(await names()).toEqual(['Chief', 'Far', 'Dee'])
})

test('COV-15 wardens who are not on duty stand below: those of the floor first', async ({ server }) => {
  const { org, join, manager } = await givenCoverage(server)
  const gone = await join({ floorUid: org.floors[0], firstName: 'Gone' })
  await gone.call(logout, {})
  const own = await join({ floorUid: org.floors[2], firstName: 'Zoe' })
  await own.call(logout, {})

  const { others } = await manager(listFloorCandidates, { params: { floorId: org.floors[2] } })

  expect(others.map(({ name, status }) => [name.split(' ')[0], status])).toEqual([
    ['Zoe', 'Off duty'],
    ['Gone', 'Off duty'],
  ])
})

test('COV-06 managers alone read of gaps older than the minutes of the organisation', async ({ server }) => {
  const { org, join, manager, eventUid } = await givenCoverage(server)
  const kim = await join()
  const joined = (minutes: number) =>
    server.db
      .updateTable('eventBuilding')
      .set({ addedAt: new Date(Date.now() - minutes * 60_000) })
      .where('eventUid', '=', eventUid)
      .execute()

  await joined(2)
  expect((await manager(getBrief, {})).gaps).toBeNull()
  await joined(4)
  expect((await manager(getBrief, {})).gaps).toEqual({ count: 2, minutes: 3 })
  expect((await kim.call(getBrief, {})).gaps).toBeNull()
  await server.db.updateTable('client').set({ coverageMinutes: 5 }).where('uid', '=', org.clientUid).execute()
  expect((await manager(getBrief, {})).gaps).toBeNull()
})
