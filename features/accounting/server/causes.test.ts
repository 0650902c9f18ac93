import { expect } from 'vitest'
import { makeEventLive } from '#features/events/calls/events.ts'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { type Sweep, sweep } from './accounting.fixture.ts'

/** Of the first place that has someone, without the causes that no one has. */
const counted = async ({ counts }: Sweep) =>
  Object.fromEntries(Object.entries((await counts())[0]?.causes ?? {}).filter(([, count]) => count > 0))
const ask = ({ asAnn }: Sweep, receiverId: PersonUid) =>
  asAnn(sendToEvacuee, { body: { message: 'Where are you?', receiverId, automated_response_message: 0 } })

async function mobileOf({ db }: TestServer, personUid: PersonUid) {
  const { mobile } = await db
    .selectFrom('person')
    .select('mobile')
    .where('uid', '=', personUid)
    .executeTakeFirstOrThrow()
  return mobile as string
}
const reply = async (server: TestServer, person: PersonUid) =>
  server.stranger(sendSimulatedReply, {
    body: { id: crypto.randomUUID(), mobile: await mobileOf(server, person), text: 'On the stairs' },
  })
/** The newest text of the person did not arrive. */
const fail = (server: TestServer, { eventUid }: Sweep, personUid: PersonUid, status: string, reason: string | null) =>
  server.db
    .updateTable('sms')
    .set({ status, reason })
    .where('eventUid', '=', eventUid)
    .where('personUid', '=', personUid)
    .execute()

test('REC-05 each unknown person has the first cause that holds, and the causes add up', async ({ server }) => {
  const s = await sweep(server, { persons: 8 })
  const [unclear, failed, expired, asked, before, safe] = s.persons as PersonUid[] as [
    ...[PersonUid, PersonUid, PersonUid, PersonUid, PersonUid, PersonUid],
  ]
  for (const person of [unclear, failed, expired, asked]) await ask(s, person)
  await fail(server, s, failed, 'failed', 'Unknown number.')
  await fail(server, s, expired, 'expired', null)
  await reply(server, unclear)
  await s.record(s.asAnn, before, 'safe', 2 * 3600)
  await s.record(s.asAnn, safe, 'safe')

  expect(await counted(s)).toEqual({ unclear: 1, text_failed: 2, asked: 1, seen_before: 1, not_asked: 2 })
  expect((await s.counts()).map(({ placeUid }) => placeUid)).toEqual([s.org.floorUid])

  // anyone who is asked again after an unclear answer has not answered
  await ask(s, unclear)
  // anyone who is seen now is not seen before
  await s.record(s.asAnn, before, 'unknown')
  expect(await counted(s)).toEqual({ text_failed: 2, asked: 2, not_asked: 3 })
})

test("REC-05 the event's own message asks no one, and without SMS no one is asked", async ({ server }) => {
  const [own, without] = [await sweep(server, { broadcastMessage: 'yes' }), await sweep(server, { smsAllowed: false })]
  while (await writeBroadcastPage(server.db));
  await fail(server, without, without.persons[0], 'skipped', 'SMS messaging is not activated.')

  expect(await counted(own)).toEqual({ not_asked: 4 })
  expect(await counted(without)).toEqual({ not_asked: 4 })
  await fail(server, own, own.persons[0], 'skipped', 'No mobile number.')
  expect(await counted(own)).toEqual({ text_failed: 1, not_asked: 3 })
})

test('REC-05 KIND-13 what was asked and seen in a drill is no cause in the live event that it became', async ({
  server,
}) => {
  const s = await sweep(server, { kind: 'drill' })
  await ask(s, s.persons[0])
  await reply(server, s.persons[0])
  await ask(s, s.persons[1])
  await s.record(s.asAnn, s.persons[2], 'safe', 2 * 3600)
  expect(await counted(s)).toEqual({ unclear: 1, asked: 1, seen_before: 1, not_asked: 1 })

  const body = { event: s.eventUid, message: 'THIS IS NOT A DRILL. Evacuate now.' }
  await s.manager(makeEventLive, { body }, withKey())

  expect((await counted(s)).not_asked).toBe(4)
  // what was seen in the drill was seen before the live event
  await s.record(s.asAnn, s.persons[3], 'safe', 60)
  expect(await counted(s)).toMatchObject({ seen_before: 1 })
})
