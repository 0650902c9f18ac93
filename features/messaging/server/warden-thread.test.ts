import { expect } from 'vitest'
import { reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentUid, SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { getWardenThread, pollWardenThread, sendToEvacuee, sendToWarden } from '../calls/messaging.ts'
import {
  annToBob,
  conversation,
  messageTexts,
  publicationsOn,
  toBob,
  toPerson,
  withWarden,
} from './messaging.fixture.ts'

const nobody = '00000000-0000-4000-8000-000000000000'

test('MSG-28 MSG-34 API-57 API-59 a message as both sides read it, and whose it is', async ({ server }) => {
  const c = await conversation(server)

  const sent = await annToBob(c)

  const own = {
    messageId: expect.any(Number),
    senderId: c.signIns.ann,
    name: expect.stringMatching(/^Ann /),
    role: 'Floor Warden',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    read: false,
    text: 'Where are you?',
    sms: false,
    delivery: null,
    also_texted: false,
    recorded: null,
    shared_with: null,
  }
  expect(sent).toEqual({ status: 'message_sent', newMessages: [own] })
  expect(await withWarden(c.asAnn, c.bob)).toEqual({
    recipient: {
      id: c.bob.assignmentUid,
      name: expect.stringMatching(/^Bob /),
      phone: c.bob.mobile,
      status: 'On Duty',
      role: 'Floor Warden',
      areas: [{ id: c.org.floors[1], name: 'Tower A - Level 1' }],
      unread: false,
      wardenSignInUid: c.signIns.bob,
      sms_refused: false,
    },
    messages: [own],
    sms_allowed: true,
    senderWardenSignInUid: c.signIns.ann,
  })
  expect(await withWarden(c.asBob, c.ann)).toMatchObject({
    recipient: { unread: true },
    messages: [own],
    senderWardenSignInUid: c.signIns.bob,
  })
})

test('AMB-127 it is read once the recipient was given it: at first as new, then as read, and so the sender sees', async ({
  server,
}) => {
  const c = await conversation(server)
  await annToBob(c)
  expect((await withWarden(c.asAnn, c.bob)).messages).toMatchObject([{ read: false }])

  const first = await withWarden(c.asBob, c.ann)
  const poll = await c.asBob(pollWardenThread, { query: { toWarden: c.ann.assignmentUid } })

  expect([first.messages, poll.messages]).toMatchObject([[{ read: false }], [{ read: true }]])
  expect((await withWarden(c.asAnn, c.bob)).messages).toMatchObject([{ read: true }])
})

test('AMB-127 opening a thread reads nothing that others wrote, or that was written to others', async ({ server }) => {
  const c = await conversation(server)
  const [chief, { body }] = [c.signInUid, toBob(c)]
  await c.asAnn(sendToWarden, { body: { ...body, receiverId: c.chief.assignmentUid, to: chief } })
  await c.manager(sendToWarden, { body: { ...body, from: chief } })
  await annToBob(c)

  await withWarden(c.asBob, c.ann)

  expect((await withWarden(c.asAnn, c.chief)).messages).toMatchObject([{ read: false }])
  expect((await withWarden(c.manager, c.bob)).messages).toMatchObject([{ read: false }])
})

test('RT-17 RT-18 the phones of both hear of it: unread with its sender, read with its reader', async ({ server }) => {
  const c = await conversation(server)

  await annToBob(c)
  await annToBob(c, 'Hello?')
  await withWarden(c.asBob, c.ann)

  const unread = { unread_messages_from_wardens: [c.ann.assignmentUid], warden_unread_msg: true }
  const changed = [{ topic: 'message', ids: [c.ann.assignmentUid] }]
  await expect
    .poll(() => publicationsOn(server, `warden:${c.signIns.bob}`))
    .toMatchObject([
      { status: 'ok', event: { status: true }, ...unread, changed },
      { ...unread, changed },
      { unread_messages_from_wardens: [], warden_unread_msg: false },
    ])
  expect(await publicationsOn(server, `warden:${c.signIns.ann}`)).toMatchObject([
    { status: 'ok', changed: [{ topic: 'message', ids: [c.bob.assignmentUid] }] },
  ])
  const others = await publicationsOn(server, `event:${c.eventUid}`)
  expect(JSON.stringify(others)).not.toContain('"message","ids"')
})

test('MSG-35 AMB-126 no one else sees a thread of two', async ({ server }) => {
  const c = await conversation(server)
  await annToBob(c)

  expect((await withWarden(c.manager, c.bob)).messages).toEqual([])
  expect((await withWarden(c.manager, c.ann)).messages).toEqual([])
})

test('MSG-38 AMB-137 to one on duty no text goes out; to one who is not, it does', async ({ server }) => {
  const c = await conversation(server)
  await annToBob(c)
  expect(await messageTexts(server, c.eventUid)).toEqual([])

  const sent = await c.asAnn(sendToWarden, {
    body: { message: 'Please report in.', receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas },
  })
  await sendTexts(server)

  expect(sent).toMatchObject({ newMessages: [{ sms: true, delivery: { status: 'queued', reason: null } }] })
  expect(await textsOn(server, c.cas.mobile)).toEqual(['Please report in.'])
  expect((await withWarden(c.asAnn, c.cas)).messages).toMatchObject([{ delivery: { status: 'delivered' } }])
})

test('MSG-10 API-70 without leave to send texts only who is on duty can be messaged', async ({ server }) => {
  const c = await conversation(server, { smsAllowed: false })

  expect(await annToBob(c)).toMatchObject({ status: 'message_sent' })
  await c.asBob(logout, {})
  const away = await server.as(c.cas)
  await away(reportNotAvailable, {})
  const toCas = { message: 'Hello', receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas }

  for (const attempt of [annToBob(c), c.asAnn(sendToWarden, { body: toCas })])
    expect(await attempt).toEqual({
      status: 'not_sent',
      message:
        "ALL WARDENS SMS messaging is not activated. Use your device's native SMS or phone to communicate with occupants.",
    })
  expect((await withWarden(c.asAnn, c.cas)).messages).toEqual([])
})

test('MSG-10 a warden without a mobile who is not on duty has it in the app; the sender sees that no text went', async ({
  server,
}) => {
  const c = await conversation(server, { casMobile: null })

  const sent = await c.asAnn(sendToWarden, {
    body: { message: 'Hello', receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas },
  })

  expect(sent).toMatchObject({ newMessages: [{ delivery: { status: 'skipped', reason: 'No mobile number.' } }] })
  expect((await withWarden(await server.onDuty(c.cas), c.ann)).messages).toMatchObject([{ text: 'Hello' }])
})

test('MSG-10 EVENT-61 a warden who was signed out of the event with their building is not written to', async ({
  server,
}) => {
  const c = await conversation(server)
  const closed = server.db.updateTable('wardenSignIn').set({ closedAt: new Date() })
  await closed.where('uid', '=', c.signIns.cas).execute()
  const body = { message: 'Hello', receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas }

  expect(await refused(c.asAnn(sendToWarden, { body }))).toEqual(['not_found'])

  expect(await messageTexts(server, c.eventUid)).toEqual([])
})

test('MSG-16 MSG-17 AMB-133 130 characters as a browser counts them are taken; 131, none, and spaces alone are refused', async ({
  server,
}) => {
  const c = await conversation(server)

  await annToBob(c, `${'🔥'.repeat(65)}`)
  const codes = await refused(
    annToBob(c, 'x'.repeat(131)),
    annToBob(c, `${'🔥'.repeat(65)}x`),
    annToBob(c, ''),
    annToBob(c, ' \n '),
    c.asAnn(sendToEvacuee, toPerson(c, `${'🔥'.repeat(65)}x`)),
  )

  expect(codes).toEqual(Array(5).fill('invalid_request'))
  expect((await withWarden(c.asBob, c.ann)).messages).toMatchObject([{ text: '🔥'.repeat(65) }])
})

test("AMB-125 T4 no one writes in another's name, or to a sign-in that is not the receiver's: 422", async ({
  server,
}) => {
  const c = await conversation(server)
  const { body } = toBob(c)

  const codes = await refused(
    c.asAnn(sendToWarden, { body: { ...body, from: c.signInUid } }),
    c.asAnn(sendToWarden, { body: { ...body, from: c.signIns.bob } }),
    c.asAnn(sendToWarden, { body: { ...body, to: c.signIns.cas } }),
    c.asAnn(sendToWarden, { body: { ...body, to: nobody as SignInUid } }),
  )

  expect(codes).toEqual(Array(4).fill('invalid_request'))
  expect((await withWarden(c.asBob, c.ann)).messages).toEqual([])
})

test('AMB-148 T1 a warden of another event, of no one, and oneself are 404, to read and to write', async ({
  server,
}) => {
  const c = await conversation(server)
  const other = await conversation(server)
  const { body } = toBob(c)

  for (const toWarden of [other.bob.assignmentUid, nobody as AssignmentUid, c.ann.assignmentUid]) {
    const codes = await refused(
      c.asAnn(getWardenThread, { query: { toWarden } }),
      c.asAnn(sendToWarden, { body: { ...body, receiverId: toWarden } }),
    )
    expect(codes).toEqual(['not_found', 'not_found'])
  }
})

test('AMB-149 who is not on duty is given nothing and sends nothing; without an event likewise', async ({ server }) => {
  const c = await conversation(server)
  const away = await server.as(c.cas)
  const query = { toWarden: c.bob.assignmentUid }

  const nothing = { recipient: null, messages: [], senderWardenSignInUid: null }
  expect(await away(getWardenThread, { query })).toMatchObject({ ...nothing, error: 'not_on_duty' })
  expect(await away(sendToWarden, toBob(c))).toMatchObject({ status: 'not_sent' })
  await c.manager(endEvent, endInput(c.org))
  expect(await c.asAnn(getWardenThread, { query })).toMatchObject({ ...nothing, error: 'no_event' })
  expect(await annToBob(c)).toEqual({ status: 'not_sent', message: 'No Current Events' })
})

test('AUTH-07 the journal has who, to whom and which message, never its text', async ({ server }) => {
  const c = await conversation(server)

  const sent = await annToBob(c, 'A secret')

  const [entry] = (await server.journalOf(c.signIns.bob)).filter(({ action }) => action === 'message_sent')
  expect(entry).toMatchObject({ actorPersonUid: c.ann.personUid, actorSignInUid: c.signIns.ann, eventUid: c.eventUid })
  expect(entry?.after).toMatchObject({ message_id: 'newMessages' in sent && sent.newMessages[0]?.messageId })
  const journal = await server.db.selectFrom('journal').selectAll().where('eventUid', '=', c.eventUid).execute()
  expect(JSON.stringify(journal)).not.toContain('A secret')
})

test('F12 one key twenty times at once is one message, and twenty equal answers', async ({ server }) => {
  const c = await conversation(server)
  const key = withKey()

  const replies = await Promise.all(Array.from({ length: 20 }, () => c.asAnn(sendToWarden, toBob(c), key)))

  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
  expect((await withWarden(c.asBob, c.ann)).messages).toHaveLength(1)
})

test('AMB-127 two who write to each other and read, all at once: nothing is lost, and the banners end right', async ({
  server,
}) => {
  const c = await conversation(server)
  const toAnn = { message: 'And you?', receiverId: c.ann.assignmentUid, from: c.signIns.bob, to: c.signIns.ann }

  await Promise.all(
    Array.from({ length: 15 }, () => [
      annToBob(c),
      c.asBob(sendToWarden, { body: toAnn }),
      withWarden(c.asAnn, c.bob),
      withWarden(c.asBob, c.ann),
    ]).flat(),
  )
  await withWarden(c.asBob, c.ann)

  expect((await withWarden(c.asAnn, c.bob)).messages).toHaveLength(30)
  for (const signIn of [c.signIns.ann, c.signIns.bob])
    await expect
      .poll(async () =>
        (await publicationsOn(server, `warden:${signIn}`)).filter((p) => 'warden_unread_msg' in p).at(-1),
      )
      .toMatchObject({ warden_unread_msg: false, unread_messages_from_wardens: [] })
})
