import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { sendToWarden, sendToWardenGroup } from '#features/messaging/calls/messaging.ts'
import {
  annToBob,
  type Conversation,
  conversation,
  messageTexts,
  replyFrom,
  withWarden,
} from '#features/messaging/server/messaging.fixture.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { endInput } from '#server/testing/event-input.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'

/** As if the messages of the event had been written so many seconds ago. */
const age = ({ db }: TestServer, { eventUid }: Conversation, seconds: number) =>
  db
    .updateTable('message')
    .set({ writtenAt: sql`steady_now() - make_interval(secs => ${seconds})` })
    .where('eventUid', '=', eventUid)
    .execute()

/** An event in which Ann has written to Bob, who has not opened it for so long. */
async function unopened(server: TestServer, seconds = 61, over: Parameters<typeof conversation>[1] = {}) {
  const c = await conversation(server, over)
  await annToBob(c)
  await age(server, c, seconds)
  return c
}

test('UX-13 what a warden on duty has not opened for 60 s is texted once, and both see it', async ({ server }) => {
  const c = await unopened(server)

  await takeDueSteps(server)
  await takeDueSteps(server)
  await sendTexts(server)

  expect(await textsOn(server, c.bob.mobile)).toEqual(['Where are you?'])
  const told = { also_texted: true, sms: true, read: false, delivery: { status: 'delivered', reason: null } }
  expect((await withWarden(c.asAnn, c.bob)).messages).toMatchObject([told])
  expect((await withWarden(c.asBob, c.ann)).messages).toMatchObject([told])
})

test('UX-13 before 60 s, and after 15 minutes, it is not texted', async ({ server }) => {
  const early = await unopened(server, 40)
  const late = await unopened(server, 15 * 60 + 1)

  await takeDueSteps(server)

  for (const c of [early, late]) {
    expect(await messageTexts(server, c.eventUid)).toEqual([])
    expect((await withWarden(c.asAnn, c.bob)).messages).toMatchObject([{ also_texted: false, sms: false }])
  }
})

const notTexted: Record<string, (server: TestServer) => Promise<Conversation>> = {
  'one that was opened': async (server) => {
    const c = await unopened(server)
    await withWarden(c.asBob, c.ann)
    return c
  },
  'to a warden who went off duty': async (server) => {
    const c = await unopened(server)
    await c.asBob(logout, {})
    return c
  },
  'of an event that has ended': async (server) => {
    const c = await unopened(server)
    await c.manager(endEvent, endInput(c.org))
    return c
  },
  'to a warden without a mobile': async (server) => {
    const c = await unopened(server)
    await server.db.updateTable('person').set({ mobile: null }).where('uid', '=', c.bob.personUid).execute()
    return c
  },
  'to a warden who refuses texts': async (server) => {
    const c = await unopened(server)
    await server.db
      .insertInto('smsRefusal')
      .values({ mobile: c.bob.mobile as string })
      .execute()
    return c
  },
  'of an organisation that sends no texts': (server) => unopened(server, 61, { smsAllowed: false }),
  'of an organisation that is suspended': async (server) => {
    const c = await unopened(server)
    await server.db.updateTable('client').set({ active: false }).where('uid', '=', c.org.clientUid).execute()
    return c
  },
}
for (const [what, given] of Object.entries(notTexted))
  test(`UX-13 not texted: ${what}`, async ({ server }) => {
    const c = await given(server)

    await takeDueSteps(server)

    expect(await messageTexts(server, c.eventUid)).toEqual([])
  })

test('UX-13 MSG-38 what was texted when it was sent, or came by text, is not texted on', async ({ server }) => {
  const c = await conversation(server)
  const toCas = {
    message: 'Please report in.',
    receiverId: c.cas.assignmentUid,
    from: c.signIns.ann,
    to: c.signIns.cas,
  }
  await c.asAnn(sendToWarden, { body: toCas })
  await replyFrom(server, c.cas.mobile, 'I am out of the office')
  await server.onDuty(c.cas)
  await age(server, c, 61)

  await takeDueSteps(server)

  expect((await messageTexts(server, c.eventUid)).map(({ body }) => body)).toEqual(['Please report in.'])
})

test('UX-13 GRP-18 group messages count: those who have not opened it are texted', async ({ server }) => {
  const c = await conversation(server)
  const audience = [
    { wardenAssignmentUid: c.bob.assignmentUid, wardenSignInUid: c.signIns.bob },
    { wardenAssignmentUid: c.chief.assignmentUid, wardenSignInUid: c.signInUid },
  ]
  await c.asAnn(sendToWardenGroup, { body: { audience, from: c.signIns.ann, message: 'Gather at the gate.' } })
  await withWarden(c.manager, c.ann)
  await age(server, c, 61)

  await takeDueSteps(server)

  expect(await messageTexts(server, c.eventUid)).toMatchObject([
    { body: 'Gather at the gate.', toMobile: c.bob.mobile, signInUid: c.signIns.bob, status: 'queued' },
  ])
})

test('UX-13 many workers and an opening at the same moment: each message is texted at most once, or read', async ({
  server,
}) => {
  const c = await conversation(server)
  for (let nth = 0; nth < 40; nth++) await annToBob(c, `Message ${nth}`)
  await age(server, c, 61)

  await Promise.all([...Array.from({ length: 6 }, () => takeDueSteps(server)), withWarden(c.asBob, c.ann)])

  const texted = (await messageTexts(server, c.eventUid)).map(({ messageSeq }) => messageSeq)
  expect(new Set(texted).size).toBe(texted.length)
  const messages = await server.db.selectFrom('message').selectAll().where('eventUid', '=', c.eventUid).execute()
  const marked = messages.filter(({ textedAt }) => textedAt !== null).map(({ seq }) => seq)
  expect(texted).toEqual(marked.sort((a, b) => a - b))
  await withWarden(c.asBob, c.ann)
  await takeDueSteps(server)
  expect(await messageTexts(server, c.eventUid)).toHaveLength(texted.length)
})

test('UX-13 many workers at once: each message is texted once, although their statements began together', async ({
  server,
}) => {
  const c = await conversation(server)
  const { org, eventUid, signIns } = c
  const { clientUid } = org
  const texts = Array.from({ length: 800 }, (_, nth) => `Message ${nth}`)
  const between = { kind: 'warden', direction: 'out', senderSignInUid: signIns.ann, recipientSignInUid: signIns.bob }
  await server.db
    .insertInto('message')
    .values(texts.map((text) => ({ clientUid, eventUid, text, ...between })))
    .execute()
  await age(server, c, 61)

  await Promise.all(Array.from({ length: 12 }, () => takeDueSteps(server)))

  expect((await messageTexts(server, c.eventUid)).map(({ body }) => body)).toEqual(texts)
})

test('UX-13 what is just being opened is left alone, and is read after that', async ({ server }) => {
  const c = await unopened(server)
  const opening = await server.database.owner.pg.connect()
  await opening.query('begin')
  await opening.query('update message set read_at = now() where event_uid = $1', [c.eventUid])

  const swept = takeDueSteps(server)
  await Promise.race([swept, delay(5_000)])
  await opening.query('commit')
  opening.release()
  await swept
  await takeDueSteps(server)

  expect(await messageTexts(server, c.eventUid)).toEqual([])
})
