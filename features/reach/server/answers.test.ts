import { expect } from 'vitest'
import { getCommand } from '#features/command/calls/command.ts'
import { sendInstruction, understand } from '#features/command/calls/instructions.ts'
import { commanded, unheardFor, watch } from '#features/command/server/command.fixture.ts'
import { answerOffer, offerFloor } from '#features/coverage/calls/coverage.ts'
import { type ChangeActionInput, changeAction, makeEventLive } from '#features/events/calls/events.ts'
import { sendToWarden } from '#features/messaging/calls/messaging.ts'
import {
  annToBob,
  askPerson,
  conversation,
  record,
  replyFrom,
  withWarden,
} from '#features/messaging/server/messaging.fixture.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { InstructionUid } from '#kernel/ids.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { after, called, choose, notesOf, reachesOf, stateOf, untilTheyAnswer } from './reach.fixture.ts'

/** Ann and Bob on duty, and Olga, all reached until they answer. */
async function talking(server: TestServer) {
  const c = await conversation(server)
  await choose(server, c.org.clientUid, untilTheyAnswer)
  return { ...c, olga: { personUid: c.person } }
}
const instruct = (by: Awaited<ReturnType<typeof commanded>>['manager'], message = 'Keep doors closed.') =>
  by(sendInstruction, { body: { kind: 'stay', message, floors: 'all', text: 'yes' } })

test('LADDER-01 an instruction is answered by Understood: others are texted after 45 s and called after 90', async ({
  server,
}) => {
  const c = await commanded(server)
  await choose(server, c.org.clientUid, untilTheyAnswer)
  const { uid } = await instruct(c.manager)
  await takeDueSteps(server)
  await c.asFloor(understand, { params: { uid } })

  await after(server, c, 46)
  await after(server, c, 46)
  await sendTexts(server)

  expect(await textsOn(server, c.floor.mobile)).toEqual([])
  expect(await textsOn(server, c.second.mobile)).toEqual(['Stay. Keep doors closed.'])
  expect(await stateOf(server, c.floor)).toEqual({ state: 'answered', reason: null })
  expect(await notesOf(server, c.second)).toEqual(['push: No alerts on a phone.', 'call: Calls are not set up.'])
})

test('LADDER-03 an instruction that a newer one has replaced reaches no one any more, nor one who went off duty', async ({
  server,
}) => {
  const c = await commanded(server)
  await choose(server, c.org.clientUid, untilTheyAnswer)
  const { uid } = await instruct(c.manager)
  await takeDueSteps(server)
  await c.asSecond(logout, {})
  await c.manager(sendInstruction, { body: { kind: 'evacuate', message: 'Go now.', floors: 'all', text: 'no' } })

  await after(server, c, 46)
  await sendTexts(server)

  expect(await textsOn(server, c.floor.mobile)).toEqual([])
  const about = async (who: { personUid: string }) =>
    (await reachesOf(server, who as never))
      .filter((one) => one.about === (uid as InstructionUid))
      .map(({ reason }) => reason)
  expect(await about(c.floor)).toEqual(['A newer one has replaced it.'])
  expect(await about(c.second)).toEqual(['Went off duty.'])
})

test('LADDER-01 who is in command is asked until they are heard', async ({ server }) => {
  const c = await commanded(server)
  await choose(server, c.org.clientUid, untilTheyAnswer)
  await unheardFor(server, c, c.signInUid, 6)
  await watch(server)
  await after(server, c, 61)
  expect(await notesOf(server, c.chief)).toEqual(['push: No alerts on a phone.', 'call: Calls are not set up.'])

  await c.manager(getCommand, {})
  await instruct(c.manager)
  await watch(server)
  await takeDueSteps(server)
  await sendTexts(server)

  expect((await reachesOf(server, c.chief)).filter((one) => one.class === 'command').map(({ state }) => state)).toEqual(
    ['answered'],
  )
  expect(await textsOn(server, c.chief.mobile)).toHaveLength(1)
})

test('LADDER-01 LADDER-02 an offer of a floor is texted after 20 s, and ends with its answer', async ({ server }) => {
  const c = await commanded(server)
  await choose(server, c.org.clientUid, untilTheyAnswer)
  const to = await c.signInOf(c.floor)
  const floor = c.org.floors[2]
  const { offer } = await c.manager(offerFloor, { body: { floorId: floor, wardenSignInUid: to } }, withKey())
  await after(server, c, 21)
  await sendTexts(server)
  expect(await textsOn(server, c.floor.mobile)).toEqual([
    expect.stringMatching(/^Can you take Level 2, Tower A\? Open the app: http/),
  ])

  await c.asFloor(answerOffer, { body: { offer: offer.id, take: 'no' } }, withKey())
  await after(server, c, 5)

  expect(await stateOf(server, c.floor)).toEqual({ state: 'answered', reason: null })
})

test('LADDER-01 a message to a warden is answered when it is opened', async ({ server }) => {
  const c = await talking(server)
  await annToBob(c)
  await takeDueSteps(server)
  await withWarden(c.asBob, c.ann)

  await after(server, c, 61)
  await sendTexts(server)

  expect(await textsOn(server, c.bob.mobile)).toEqual([])
  expect(await stateOf(server, c.bob)).toEqual({ state: 'answered', reason: null })
})

test('LADDER-02 LADDER-03 an occupant who is asked is texted once more, which is no new message', async ({
  server,
}) => {
  const c = await talking(server)
  await askPerson(c)
  await after(server, c, 181)
  await sendTexts(server)

  const texts = await textsOn(server, c.mobile)
  expect(texts).toHaveLength(2)
  expect(texts[1]).toBe(texts[0])
  const messages = await server.db.selectFrom('message').selectAll().where('eventUid', '=', c.eventUid).execute()
  expect(messages).toHaveLength(1)
})

const answered: Record<string, (c: Awaited<ReturnType<typeof talking>>, server: TestServer) => Promise<unknown>> = {
  'by text': (c, server) => replyFrom(server, c.mobile, '1'),
  'in words that set no status': (c, server) => replyFrom(server, c.mobile, 'where is the exit'),
  "by a warden's record": (c) => record(c, 'safe'),
}
for (const [how, answer] of Object.entries(answered))
  test(`LADDER-01 an occupant who is asked has answered ${how}`, async ({ server }) => {
    const c = await talking(server)
    await askPerson(c)
    await sendTexts(server)
    await answer(c, server)

    await after(server, c, 301)
    await sendTexts(server)

    expect(await stateOf(server, c.olga)).toEqual({ state: 'answered', reason: null })
    expect((await textsOn(server, c.mobile)).filter((text) => text.startsWith('Reply 1'))).toHaveLength(1)
  })

test('LADDER-03 RESP-05 where people hide no step follows the first text', async ({ server }) => {
  const c = await called(server)
  await sendTexts(server)
  const body: ChangeActionInput = {
    event: c.eventUid,
    buildings: [c.org.buildingUid],
    action: 'lockdown',
    message: 'Hide.',
    broadcastMessage: 'no',
    again: 'no',
    base: null,
  }
  await c.manager(changeAction, { body }, withKey())

  await after(server, c, 200)
  await sendTexts(server)

  expect(await stateOf(server, c.ann)).toEqual({ state: 'over', reason: 'Building in lockdown.' })
  expect(await textsOn(server, c.ann.mobile)).toHaveLength(1)
  expect(await notesOf(server, c.ann)).toEqual([])
})

test('LADDER-03 what a drill asked is asked no more once it is live, and who is not on duty is called anew', async ({
  server,
}) => {
  const c = await called(server, undefined, { kind: 'drill' })
  const asBob = await server.onDuty(c.bob)
  await asBob(sendToWarden, {
    body: {
      message: 'Where are you?',
      receiverId: c.chief.assignmentUid,
      from: await c.signInOf(c.bob),
      to: c.signInUid,
    },
  })
  await after(server, c, 100)
  await sendTexts(server)
  await c.manager(makeEventLive, { body: { event: c.eventUid, message: 'This is real.' } }, withKey())
  await after(server, c, 61)
  await sendTexts(server)

  expect(await textsOn(server, c.ann.mobile)).toEqual([
    expect.stringMatching(/^DRILL/),
    expect.stringMatching(/^This is real\./),
  ])
  expect(await stateOf(server, c.ann)).toEqual({ state: 'going', reason: null })
  expect(await notesOf(server, c.ann)).toHaveLength(6)
  const written = (await reachesOf(server, c.chief)).filter((one) => one.class === 'message')
  expect(written.map(({ reason }) => reason)).toEqual(['The drill became a live event.'])
})
