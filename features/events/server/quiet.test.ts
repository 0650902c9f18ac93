import { sql } from 'kysely'
import { expect } from 'vitest'
import { askUnknown, countAsked } from '#features/accounting/calls.ts'
import { makePack } from '#features/arrival-pack/calls.ts'
import { visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { makeWall, readWall } from '#features/board/calls/walls.ts'
import { sendInstruction } from '#features/command/calls/instructions.ts'
import { claimFloor, listFloorCandidates, offerFloor } from '#features/coverage/calls/coverage.ts'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { sendToWarden } from '#features/messaging/calls/messaging.ts'
import { getReportCode } from '#features/self-report/calls.ts'
import { newNetwork } from '#features/self-report/server/self-report.fixture.ts'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import type { FirstAction } from '#kernel/actions.ts'
import { startInput } from '#server/testing/event-input.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { createEvent } from '../calls/events.ts'

/** Tower A under an action, with a floor warden on duty and two people. Tower B is on hold, with a warden of its own. */
async function event(server: TestServer, action: FirstAction = 'lockdown') {
  const org = await server.given.organisation()
  const away = { ...org, buildingUid: org.otherBuildingUid, floorUid: org.otherFloorUid }
  const [ada, ben] = [await server.given.warden(org, { firstName: 'Ada' }), await server.given.warden(away)]
  const mobile = () => `6148${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
  const persons = [
    await server.given.occupant(org, { mobile: mobile() }),
    await server.given.occupant(org, { mobile: mobile() }),
  ]
  const become = (next: FirstAction) =>
    server.db
      .updateTable('eventType')
      .set({ action: next, actionWhere: 'the hall' })
      .where('uid', '=', org.eventTypeUid)
      .execute()
  await become(action)
  const running = await server.runningEvent(org)
  await become('hold')
  await running.manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  const [call, other] = [await server.onDuty(ada), await server.onDuty(ben)]
  const signInOf = async (personUid: string) =>
    (
      await server.db
        .selectFrom('wardenSignIn')
        .select('uid')
        .where('personUid', '=', personUid as never)
        .executeTakeFirstOrThrow()
    ).uid as never
  const { code } = await running.manager(getReportCode, { query: { site: org.siteUid } })
  return { org, ada, ben, persons, call, other, code, signInOf, ...running }
}
const causes = ['unclear', 'text_failed', 'asked', 'seen_before', 'not_asked'] as const
const everyone = { floors: [], causes: [...causes] }

test('RESP-05 no one is sent: no floor there is taken, offered or looked for, and no one who hides goes elsewhere', async ({
  server,
}) => {
  const { org, ada, ben, call, other, manager, signInOf } = await event(server)
  const refused = { code: 'quiet_building', message: 'No one is sent to another floor in a lockdown.' }
  const [there, elsewhere] = [org.floors[1], org.otherFloorUid]
  await expect(other(claimFloor, { body: { floorId: there } })).rejects.toMatchObject(refused)
  await expect(call(claimFloor, { body: { floorId: elsewhere } })).rejects.toMatchObject(refused)
  await expect(manager(listFloorCandidates, { params: { floorId: there } })).rejects.toMatchObject(refused)
  const offer = async (floorId: typeof there, to: string) =>
    manager(offerFloor, { body: { floorId, wardenSignInUid: await signInOf(to) } })
  await expect(offer(there, ben.personUid)).rejects.toMatchObject(refused)
  await expect(offer(elsewhere, ada.personUid)).rejects.toMatchObject(refused)
  const recheck = { kind: 'recheck', message: 'Check again.', text: 'no' } as const
  const check = (floors: 'all' | (typeof there)[]) =>
    manager(sendInstruction, { body: { ...recheck, floors } }, withKey())
  await expect(check('all')).rejects.toMatchObject(refused)
  await expect(check([there])).rejects.toMatchObject(refused)
  expect(await check([elsewhere])).toMatchObject({ uid: expect.any(String) })
  const leave = { kind: 'evacuate', message: 'Go now.', text: 'no' } as const
  await expect(manager(sendInstruction, { body: { ...leave, floors: 'all' } }, withKey())).rejects.toMatchObject({
    code: 'quiet_building',
    message: 'People hide there. Change the action before you tell them to leave.',
  })
})

test('RESP-05 a warden who hides gets no second text, for an instruction or for a message that was not opened', async ({
  server,
}) => {
  const { ada, ben, manager, signInUid, signInOf } = await event(server)
  const to = async (person: string) => ({
    message: 'Where are you?',
    receiverId: await signInOf(person),
    from: signInUid as never,
    to: null as never,
  })
  const assignmentOf = async (person: string) =>
    (
      await server.db
        .selectFrom('wardenSignIn')
        .select('assignmentUid')
        .where('personUid', '=', person as never)
        .executeTakeFirstOrThrow()
    ).assignmentUid as never
  for (const one of [ada, ben])
    await manager(
      sendToWarden,
      {
        body: {
          ...(await to(one.personUid)),
          receiverId: await assignmentOf(one.personUid),
          to: await signInOf(one.personUid),
        } as never,
      },
      withKey(),
    )
  await manager(sendInstruction, { body: { kind: 'stay', message: 'Stay.', floors: 'all', text: 'yes' } }, withKey())
  await server.db.updateTable('message').set({ writtenAt: sql`steady_now() - interval '61 seconds'` }).execute()
  await server.db.updateTable('instruction').set({ at: sql`clock_timestamp() - interval '90 seconds'` }).execute()

  await takeDueSteps(server)
  await sendTexts(server)

  expect(await textsOn(server, ada.mobile)).toEqual([])
  expect((await textsOn(server, ben.mobile)).toSorted()).toEqual(['Stay. Stay.', 'Where are you?'])
})

test('RESP-05 a wall where others can see it holds no figure and no name; one of the team is the board', async ({
  server,
}) => {
  const { org, manager, call, persons } = await event(server)
  await call(setPersonStatus, { body: { personId: persons[0] as never, status: 'in danger', floorId: org.floorUid } })
  const wall = async (place: 'public' | 'team') => {
    const { url } = await manager(makeWall, { body: { site: org.siteUid, name: 'Lobby', place, days: 1 } }, withKey())
    return server.stranger(readWall, { body: { token: url.split('#')[1] as string } })
  }
  expect(await wall('public')).toEqual({
    version: expect.any(String),
    place: 'public',
    site: org.siteName,
    timezone: expect.any(String),
    board: null,
    quiet: true,
  })
  expect(await wall('team')).toMatchObject({ board: { totals: { people: { danger: 1 } } } })
})

test('RESP-05 RESP-03 people who hide are asked the question of a lockdown, once the sender has ticked that phones may sound', async ({
  server,
}) => {
  const { manager, eventUid, persons } = await event(server)
  const counted = await manager(countAsked, { body: everyone })
  expect(counted).toMatchObject({
    count: 2,
    quiet: true,
    text: 'Are you behind a locked door? Silence your phone. Reply 1 for yes, 2 if you need help.',
  })
  await expect(manager(askUnknown, { body: { ...everyone, count: 2 } }, withKey())).rejects.toMatchObject({
    code: 'quiet_building',
  })
  await manager(askUnknown, { body: { ...everyone, count: 2, sounds: 'yes' } }, withKey())
  const mobileOf = async (uid: string | undefined) =>
    (
      await server.db
        .selectFrom('person')
        .select('mobile')
        .where('uid', '=', uid as never)
        .executeTakeFirstOrThrow()
    ).mobile as string
  const [first, second] = [await mobileOf(persons[0]), await mobileOf(persons[1])]
  await server.stranger(sendSimulatedReply, { body: { id: crypto.randomUUID(), mobile: first, text: '1' } })
  await server.stranger(sendSimulatedReply, { body: { id: crypto.randomUUID(), mobile: second, text: '2' } })
  await sendTexts(server)

  expect((await server.evacueeOf(eventUid, persons[0] as never))?.status).toBe('safe')
  expect(await textsOn(server, first)).toContain(
    'Thank you. You are recorded as accounted for. Reply 2 if you need help.',
  )
  expect(await textsOn(server, second)).toContain(
    'Thank you. The wardens can see that you need help. Reply 1 when you are safe.',
  )
})

test('RESP-03 where people stay the question is theirs, and needs no tick', async ({ server }) => {
  const { manager } = await event(server, 'shelter')
  const counted = await manager(countAsked, { body: everyone })
  expect(counted.text).toBe('Are you inside and safe? Reply 1 for yes, 2 if you need help.')
  expect(counted).not.toHaveProperty('quiet')
  expect(await manager(askUnknown, { body: { ...everyone, count: 2 } }, withKey())).toMatchObject({
    status: 'message_sent',
  })
})

test.for([
  ['lockdown', 'I am behind a locked door', true],
  ['shelter', 'I am inside and safe', false],
  ['move', 'I am safe', false],
] as const)('RESP-03 the poster in an event of %s says ‘%s’', async ([action, words, isQuiet], { server }) => {
  const { code } = await event(server, action)
  const visitor = visitorOf(server, newNetwork())
  const opened = await visitor.get(`/s/${code}`)
  const sent = await visitor.post(`/s/${code}`, { say: 'help', words: 'Room 4' })
  expect(opened.body).toContain(`>${words}</a>`)
  const end = 'Stay hidden. Keep this phone silent. Call 000 only if you can speak safely.'
  for (const { body } of [opened, sent]) {
    expect(body.includes(end)).toBe(isQuiet)
    expect(body.includes('html{background:#000}')).toBe(isQuiet)
  }
  expect(sent.body.includes('No signal? Tell a warden.')).toBe(!isQuiet)
  expect(opened.body.includes('If you can, also call')).toBe(!isQuiet)
})

test('RESP-03 RESP-04 the arrival pack says what people do, and speaks of floors that are locked', async ({
  server,
}) => {
  const { manager } = await event(server)
  const { url } = await manager(makePack, { body: { hours: 1, plans: 'no' } }, withKey())
  const visitor = visitorOf(server, newNetwork())
  const path = new URL(url).pathname
  const entered = await visitor.post(path, {})
  const { body } = await visitor.get(String(entered.headers.location ?? path))
  const text = body.replace(/<[^>]+>/g, '')
  expect(text).toMatch(/Lockdown in Tower A since \d\d:\d\d/)
  expect(text).toMatch(/Hold in Tower B since \d\d:\d\d/)
  expect(text).toContain('Need help')
  expect(text).toContain('Unknown is not safe. Done means that a warden reported it. It does not say who is inside.')
  expect(text).not.toMatch(/cleared|In danger/)
})
