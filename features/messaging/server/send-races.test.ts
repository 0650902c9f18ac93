import { expect } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import type { EvacueeUid } from '#kernel/ids.ts'
import { inClients } from '#server/platform/db/db.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { crowdedTest as test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendToEvacuee, sendToEvacueeGroup, sendToWarden, sendToWardenGroup } from '../calls/messaging.ts'
import {
  annToBob,
  askPerson,
  type Conversation,
  conversation,
  everyone,
  publicationsOn,
  replyFrom,
  statusOf,
  toBob,
  toPerson,
  withWarden,
} from './messaging.fixture.ts'
import { markEvacueeRead } from './thread.queries.ts'

test('RT-17 of two who write to the same warden at once the later one names both as unread', async ({ server }) => {
  const c = await conversation(server)
  const held = await server.hold('warden_sign_in', c.signIns.bob)
  const fromChief = { ...toBob(c).body, from: c.signInUid }

  const sends = [annToBob(c), c.manager(sendToWarden, { body: fromChief })]
  await held.waiting(2)
  await held.release()
  await Promise.all(sends)

  const both = expect.arrayContaining([c.ann.assignmentUid, c.chief.assignmentUid])
  await expect
    .poll(async () => (await publicationsOn(server, `warden:${c.signIns.bob}`)).at(-1))
    .toMatchObject({ unread_messages_from_wardens: both })
})

test('RT-17 AMB-129 of a message and a text to the same warden at once the one written later names both as unread', async ({
  server,
}) => {
  const c = await conversation(server)
  const { body } = toBob(c)
  await c.asAnn(sendToWarden, { body: { ...body, receiverId: c.cas.assignmentUid, to: c.signIns.cas } })
  const held = await server.hold('warden_sign_in', c.signIns.ann, 'no key update')

  const sent = c.asBob(sendToWarden, {
    body: { ...body, receiverId: c.ann.assignmentUid, from: c.signIns.bob, to: c.signIns.ann },
  })
  const reply = replyFrom(server, c.cas.mobile, 'On my way')
  await held.waiting(2)
  await held.release()
  await Promise.all([sent, reply])

  const both = expect.arrayContaining([c.bob.assignmentUid, c.cas.assignmentUid])
  expect((await publicationsOn(server, `warden:${c.signIns.ann}`)).at(-1)) //
    .toMatchObject({ unread_messages_from_wardens: both })
})

test('MSG-35 what comes in while a thread is being opened was not shown, and stays unread', async ({ server }) => {
  const c = await conversation(server)
  await annToBob(c, 'First')
  const held = await server.hold('warden_sign_in', c.signIns.bob)
  const sent = annToBob(c, 'Second')
  await held.waiting(1)
  const opened = withWarden(c.asBob, c.ann)
  await held.waiting(2)
  await held.release()

  expect((await opened).messages.map(({ text }) => text)).toEqual(['First'])
  await sent
  expect((await withWarden(c.asAnn, c.bob)).messages.map(({ text, read }) => [text, read])).toEqual([
    ['First', true],
    ['Second', false],
  ])
})

test('MSG-35 nor is a reply read that was not in the thread when it was given', async ({ server }) => {
  const c = await conversation(server)
  for (const text of ['First', 'Second']) await replyFrom(server, c.mobile, text)
  const { uid } = (await server.evacueeOf(c.eventUid, c.person)) ?? {}
  const [first] = (await unreadOf(server, c)).map(({ seq }) => seq)

  await inClients(server.app.db, [c.org.clientUid], (tx) =>
    markEvacueeRead(tx, c.org.clientUid, uid as EvacueeUid, first as number),
  )

  expect((await unreadOf(server, c)).map(({ text }) => text)).toEqual(['Second'])
})

const unreadOf = ({ db }: TestServer, { eventUid }: Conversation) =>
  db
    .selectFrom('message')
    .select(['seq', 'text'])
    .where('eventUid', '=', eventUid)
    .where('readAt', 'is', null)
    .orderBy('seq')
    .execute()

test('MSG-36 MSG-37 of replies at once the one that counts is the one that stands last in the thread', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  const { uid } = (await server.evacueeOf(c.eventUid, c.person)) ?? {}
  const held = await server.hold('evacuee', uid as string, 'no key update')
  const reply = replyFrom(server, c.mobile, '2')
  await held.waiting(1)

  // what the holder of the row brings, before the next may go on
  await server.given.evacueeMessage(c.eventUid, c.person, { direction: 'in' })
  await held.release()

  expect(await reply).toEqual({ outcome: 'status_set' })
  expect((await unreadOf(server, c)).at(-1)?.text).toBe('2')
})

test('EVENT-24 who sends while the event is just ending is told that it has ended, and nothing is written', async ({
  server,
}) => {
  const c = await conversation(server)
  const held = await server.hold('site', c.org.siteUid)
  const ended = c.manager(endEvent, endInput(c.org))
  await held.waiting(1)
  const audience = [{ wardenAssignmentUid: c.bob.assignmentUid, wardenSignInUid: c.signIns.bob }]

  const single = [annToBob(c), c.asAnn(sendToEvacuee, toPerson(c))]
  const groups = refused(
    c.asAnn(sendToWardenGroup, { body: { audience, from: c.signIns.ann, message: 'Gather.' } }),
    c.asAnn(sendToEvacueeGroup, {
      body: { filters: everyone(), floors: ['all'], automated_response_message: 0, msg: 'Gather.' },
    }),
  )
  await held.waiting(5)
  await held.release()

  expect(await ended).toMatchObject({ status: 'event_ended' })
  const notSent = { status: 'not_sent', message: 'No Current Events' }
  expect(await Promise.all(single)).toEqual([notSent, notSent])
  expect(await groups).toEqual(['no_event', 'no_event'])
  const messages = server.db.selectFrom('message').select('seq').where('eventUid', '=', c.eventUid)
  expect(await messages.execute()).toEqual([])
})

test('MSG-37 EVENT-61 an answer that comes while its building is just leaving is kept, but sets and counts nothing', async ({
  server,
}) => {
  const c = await conversation(server)
  await c.manager(createEvent, startInput(c.org, { buildings: [c.org.otherBuildingUid] }))
  await askPerson(c)
  const held = await server.hold('site', c.org.siteUid)
  const removed = c.manager(endEvent, endInput(c.org))
  await held.waiting(1)

  const reply = replyFrom(server, c.mobile, '1')
  await held.waiting(2)
  await held.release()

  expect(await removed).toMatchObject({ scope: 'buildings' })
  expect(await reply).toEqual({ outcome: 'stored' })
  expect(await statusOf(server, c)).toBe('unknown')
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})

test('MSG-36 EVENT-24 replies that come while the event is just ending set nothing and stand nowhere', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  await c.asAnn(sendToWarden, { body: { ...toBob(c).body, receiverId: c.cas.assignmentUid, to: c.signIns.cas } })
  const held = await server.hold('site', c.org.siteUid)
  const ended = c.manager(endEvent, endInput(c.org))
  await held.waiting(1)

  const replies = [replyFrom(server, c.mobile, '1'), replyFrom(server, c.cas.mobile, 'On my way')]
  await held.waiting(3)
  await held.release()

  expect(await ended).toMatchObject({ status: 'event_ended' })
  expect(await Promise.all(replies)).toEqual(Array(2).fill({ outcome: 'unmatched' }))
  expect(await statusOf(server, c)).toBe('unknown')
  expect((await unreadOf(server, c)).map(({ text }) => text)).not.toContain('On my way')
})
