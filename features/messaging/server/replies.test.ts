import { expect } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { sendToEvacuee, sendToWarden } from '../calls/messaging.ts'
import {
  annToBob,
  askPerson,
  type Conversation,
  conversation,
  publicationsOn,
  record,
  replyFrom,
  statusOf,
  toPerson,
  withEvacuee,
  withWarden,
} from './messaging.fixture.ts'
import { receiveReply } from './receive-reply.service.ts'

test('AMB-129 a reply goes to the thread that was written to last, whatever the client', async ({ server }) => {
  const [first, second] = [await conversation(server), await conversation(server)]
  const shared = { mobile: first.mobile }
  await server.db.updateTable('person').set(shared).where('uid', '=', second.person).execute()
  await second.asAnn(sendToEvacuee, toPerson(second))
  await first.asAnn(sendToEvacuee, toPerson(first))

  await replyFrom(server, first.mobile, 'to the first')
  await second.asAnn(sendToEvacuee, toPerson(second))
  await replyFrom(server, first.mobile, 'to the second')
  const only = { providerId: `test:${first.eventUid}`, fromNumber: `+${first.mobile}`, text: 'by number' }
  await receiveReply(server.app, { ...only, clientUid: first.org.clientUid })

  const inFirst = (await withEvacuee(first.asAnn, first.person)).messages.map(({ text }) => text)
  expect(inFirst).toEqual(['Are you safe?', 'to the first', 'by number'])
  const inSecond = (await withEvacuee(second.asAnn, second.person)).messages.map(({ text }) => text)
  expect(inSecond).toEqual(['Are you safe?', 'Are you safe?', 'to the second'])
})

test('AMB-129 of two with one number only who was written to has answered, however new the other event is', async ({
  server,
}) => {
  const [written, newer] = [await conversation(server), await conversation(server)]
  await server.db.updateTable('person').set({ mobile: written.mobile }).where('uid', '=', newer.person).execute()
  await askPerson(written)

  expect(await replyFrom(server, written.mobile, '1')).toEqual({ outcome: 'status_set' })

  expect(await statusOf(server, written)).toBe('safe')
  expect(await statusOf(server, newer)).toBe('unknown')
  expect((await withEvacuee(newer.asAnn, newer.person)).messages).toEqual([])
})

test('AMB-129 who has left the event with their building, or whose organisation was closed, has no thread there', async ({
  server,
}) => {
  const [left, closed] = [await conversation(server), await conversation(server)]
  for (const c of [left, closed]) await askPerson(c)
  await server.db.updateTable('evacuee').set({ active: false }).where('personUid', '=', left.person).execute()
  for (const { cas, signIns, asAnn } of [closed]) {
    const body = { message: 'Report in?', receiverId: cas.assignmentUid, from: signIns.ann, to: signIns.cas }
    await asAnn(sendToWarden, { body })
  }
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', closed.org.clientUid).execute()

  const outcomes = [
    await replyFrom(server, left.mobile, '1'),
    await replyFrom(server, closed.mobile, '1'),
    await replyFrom(server, closed.cas.mobile, 'On my way'),
  ]

  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['reported', 'unmatched', 'unmatched'])
  expect(await statusOf(server, left)).toBe('unknown')
  expect(await statusOf(server, closed)).toBe('unknown')
})

test('AMB-129 a warden of two organisations answers the one that wrote last; a number of one, only that one', async ({
  server,
}) => {
  const [first, second] = [await conversation(server), await conversation(server)]
  const { mobile } = first.cas
  await server.db.updateTable('person').set({ mobile }).where('uid', '=', second.cas.personUid).execute()
  const ask = ({ cas, signIns, asAnn }: Conversation) => {
    const body = { message: 'Report in?', receiverId: cas.assignmentUid, from: signIns.ann, to: signIns.cas }
    return asAnn(sendToWarden, { body })
  }
  await ask(first)
  await ask(second)

  await replyFrom(server, mobile, 'to the second')
  const toFirst = { providerId: `test:${first.eventUid}`, fromNumber: `+${mobile}`, text: 'by number' }
  await receiveReply(server.app, { ...toFirst, clientUid: first.org.clientUid })

  const textsWith = async ({ asAnn, cas }: Conversation) =>
    (await withWarden(asAnn, cas)).messages.map(({ text }) => text)
  expect(await textsWith(first)).toEqual(['Report in?', 'by number'])
  expect(await textsWith(second)).toEqual(['Report in?', 'to the second'])
})

test('AMB-129 a warden who answers by text answers the one who wrote last, unread', async ({ server }) => {
  const c = await conversation(server)
  const toCas = { message: 'Report in?', receiverId: c.cas.assignmentUid, to: c.signIns.cas }
  await c.asBob(sendToWarden, { body: { ...toCas, from: c.signIns.bob } })
  await c.asAnn(sendToWarden, { body: { ...toCas, from: c.signIns.ann } })

  expect(await replyFrom(server, c.cas.mobile, 'On my way')).toEqual({ outcome: 'stored' })

  const reply = { senderId: c.signIns.cas, role: 'Floor Warden', text: 'On my way', sms: true, read: false }
  expect(await withWarden(c.asAnn, c.cas)).toMatchObject({ recipient: { unread: true }, messages: [{}, reply] })
  expect((await withWarden(c.asBob, c.cas)).messages).toHaveLength(1)
  await expect
    .poll(() => publicationsOn(server, `warden:${c.signIns.ann}`))
    .toContainEqual(expect.objectContaining({ unread_messages_from_wardens: [c.cas.assignmentUid] }))
})

test('AMB-129 EVENT-61 a warden who left the event with their building answers no one any more', async ({ server }) => {
  const c = await conversation(server)
  const { otherBuildingUid, otherFloorUid } = c.org
  const leaving = await server.given.warden(c.org, { floorUid: otherFloorUid })
  await c.manager(createEvent, startInput(c.org, { buildings: [otherBuildingUid] }))
  const to = await c.signInOf(leaving)
  await c.asAnn(sendToWarden, {
    body: { message: 'Report in?', receiverId: leaving.assignmentUid, from: c.signIns.ann, to },
  })
  await c.manager(endEvent, endInput(c.org, { buildings: [otherBuildingUid] }))

  expect(await replyFrom(server, leaving.mobile, 'On my way')).toEqual({ outcome: 'reported' })
})

test('AMB-129 an event that has ended keeps no reply from the one that runs', async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)
  await c.manager(endEvent, endInput(c.org))
  await c.manager(createEvent, startInput(c.org))

  expect(await replyFrom(server, c.mobile, 'I am on the roof')).toEqual({ outcome: 'stored' })

  expect((await withEvacuee(c.manager, c.person)).messages).toMatchObject([{ text: 'I am on the roof' }])
})

test('AMB-129 a number of no one in a running event is noted, and changes nothing', async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)
  await c.manager(endEvent, endInput(c.org))

  const outcomes = [
    await replyFrom(server, '61400999999', '1'),
    await replyFrom(server, c.mobile, '1'),
    await replyFrom(server, c.bob.mobile, 'no one wrote to me'),
  ]

  expect(outcomes).toEqual(Array(3).fill({ outcome: 'unmatched' }))
  expect(await statusOf(server, c)).toBe('unknown')
})

test('AMB-129 STOP is shown, what waits and what comes is skipped with that reason, START ends it', async ({
  server,
}) => {
  const c = await conversation(server)
  await c.asAnn(sendToEvacuee, toPerson(c))

  expect(await replyFrom(server, c.mobile, 'Stop')).toEqual({ outcome: 'opted_out' })
  await sendTexts(server)

  expect(await textsOn(server, c.mobile)).toEqual([])
  const { recipient, messages } = await withEvacuee(c.asAnn, c.person)
  expect(recipient.sms_refused).toBe(true)
  expect(messages).toMatchObject([{ delivery: { status: 'skipped', reason: 'SMS refused.' } }, { text: 'Stop' }])
  expect((await server.journalOf(c.person)).map(({ action }) => action)).toContain('sms_refused')
  expect(await replyFrom(server, c.mobile, 'START')).toEqual({ outcome: 'opted_in' })
  expect(await c.asAnn(sendToEvacuee, toPerson(c))).toMatchObject({ status: 'message_sent' })
})

test('AMB-129 a warden who refused texts can still be sent the link they ask for to sign in', async ({ server }) => {
  const c = await conversation(server)
  await replyFrom(server, c.cas.mobile, 'STOP')

  await server.stranger(loginByMobile, { body: { phone: c.cas.mobile as string } })
  await sendTexts(server)

  expect(await textsOn(server, c.cas.mobile)).toMatchObject([expect.stringMatching(/^All Wardens sign-in link/)])
  const sent = await c.asAnn(sendToWarden, {
    body: { message: 'Hello', receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas },
  })
  expect(sent).toMatchObject({ newMessages: [{ delivery: { status: 'skipped', reason: 'SMS refused.' } }] })
})

test('MSG-36 the same text delivered twenty times at once is one message and one answer', async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)
  const id = crypto.randomUUID()

  const outcomes = await Promise.all(Array.from({ length: 20 }, () => replyFrom(server, c.mobile, '1', id)))

  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([...Array(19).fill('repeated'), 'status_set'])
  expect((await withEvacuee(c.asAnn, c.person)).messages).toHaveLength(2)
})

test('MSG-36 MSG-37 200 replies at once to one thread while wardens read and record: all there, counts and banners right', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)

  await Promise.all([
    ...Array.from({ length: 200 }, (_, i) => replyFrom(server, c.mobile, i % 2 ? '1' : '2')),
    ...Array.from({ length: 20 }, (_, i) => withEvacuee(i % 2 ? c.asAnn : c.asBob, c.person)),
    ...Array.from({ length: 20 }, (_, i) => record(c, i % 2 ? 'safe' : 'in danger')),
    ...Array.from({ length: 10 }, () => annToBob(c)),
  ])
  await withEvacuee(c.asBob, c.person)

  const { messages } = await withEvacuee(c.asAnn, c.person)
  expect(messages).toHaveLength(201)
  expect(messages.filter(({ senderId, read }) => senderId === c.person && !read)).toEqual([])
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
  const banner = async () =>
    (await publicationsOn(server, `warden:${c.signIns.ann}`)).filter((p) => 'evacuee_unread_msg' in p).at(-1)
  await expect.poll(banner).toMatchObject({ evacuee_unread_msg: false })
})
