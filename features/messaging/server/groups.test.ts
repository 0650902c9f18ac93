import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentUid, SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { countEvacueeGroup, sendToEvacueeGroup, sendToWardenGroup } from '../calls/messaging.ts'
import {
  type Conversation,
  conversation,
  everyone,
  messageTexts,
  publicationsOn,
  replyFrom,
  withEvacuee,
  withWarden,
} from './messaging.fixture.ts'

const member = ({ signIns, ...c }: Conversation, who: 'ann' | 'bob' | 'cas') => ({
  wardenAssignmentUid: c[who].assignmentUid,
  wardenSignInUid: signIns[who],
})
const toGroup = (c: Conversation, audience = [member(c, 'bob'), member(c, 'cas')], message = 'Gather below.') => ({
  body: { audience, from: c.signIns.ann, message },
})
const group = (filters: FilterSet, msg = 'Use stairs B.', coded: 0 | 1 = 0) => ({
  body: { filters, automated_response_message: coded, floors: filters.floors, msg },
})

test('API-27 GRP-17 GRP-18 AMB-138 each has it in the app, and who is not on duty by text as well', async ({
  server,
}) => {
  const c = await conversation(server)

  const reply = await c.asAnn(sendToWardenGroup, toGroup(c))
  await sendTexts(server)

  expect(reply).toEqual({ status: 'message_sent', message: 'Message sent to 2 wardens.' })
  expect((await withWarden(c.asBob, c.ann)).messages).toMatchObject([{ text: 'Gather below.', delivery: null }])
  expect((await withWarden(c.asAnn, c.cas)).messages).toMatchObject([{ delivery: { status: 'delivered' } }])
  expect([await textsOn(server, c.bob.mobile), await textsOn(server, c.cas.mobile)]).toEqual([[], ['Gather below.']])
  await expect
    .poll(() => publicationsOn(server, `warden:${c.signIns.bob}`))
    .toContainEqual(expect.objectContaining({ unread_messages_from_wardens: [c.ann.assignmentUid] }))
})

test('GRP-20 AMB-137 without leave to send texts one who is off duty stops it, whatever the caller believes', async ({
  server,
}) => {
  const c = await conversation(server, { smsAllowed: false })
  // unknown: the copy in the app alone
  expect(await c.asAnn(sendToWardenGroup, toGroup(c))).toMatchObject({ message: 'Message sent to 2 wardens.' })
  await c.asBob(logout, {})

  await expect(c.asAnn(sendToWardenGroup, toGroup(c))).rejects.toMatchObject({ code: 'sms_not_allowed', status: 409 })

  expect((await withWarden(c.asAnn, c.cas)).messages).toHaveLength(1)
  expect(await messageTexts(server, c.eventUid)).toEqual([])
})

test('GRP-18 AMB-138 unknown and foreign members, and pairs that do not fit, are 422 for all; none is told', async ({
  server,
}) => {
  const [c, other] = [await conversation(server), await conversation(server)]
  const bob = member(c, 'bob')
  const nobody = { wardenAssignmentUid: randomUUID() as AssignmentUid, wardenSignInUid: randomUUID() as SignInUid }
  const wrong = [
    [bob, nobody],
    [bob, member(other, 'bob')],
    [{ ...bob, wardenSignInUid: c.signIns.cas }],
    [bob, { ...bob, wardenSignInUid: c.signIns.cas }],
    [{ ...bob, wardenAssignmentUid: other.bob.assignmentUid }],
    [member(c, 'ann')],
    [],
  ]

  const codes = await refused(...wrong.map((audience) => c.asAnn(sendToWardenGroup, toGroup(c, audience))))

  expect(codes).toEqual(wrong.map(() => 'invalid_request'))
  expect((await withWarden(c.asBob, c.ann)).messages).toEqual([])
  expect((await withWarden(other.asBob, other.ann)).messages).toEqual([])
})

test("GRP-18 T4 from is the caller's own sign-in: 403; 131 characters, none: 422", async ({ server }) => {
  const c = await conversation(server)
  const { body } = toGroup(c)

  const codes = await refused(
    c.asAnn(sendToWardenGroup, { body: { ...body, from: c.signIns.bob } }),
    c.asAnn(sendToWardenGroup, toGroup(c, body.audience, 'x'.repeat(131))),
    c.asAnn(sendToWardenGroup, toGroup(c, body.audience, '🔥'.repeat(66))),
    c.asAnn(sendToWardenGroup, toGroup(c, body.audience, '  ')),
  )

  expect(codes).toEqual(['forbidden', 'invalid_request', 'invalid_request', 'invalid_request'])
})

test('GRP-18 AMB-138 named twice is told once; oneself is passed over; 500 are taken, 501 are not', async ({
  server,
}) => {
  const c = await conversation(server)
  const bob = member(c, 'bob')

  const reply = await c.asAnn(sendToWardenGroup, toGroup(c, [bob, bob, member(c, 'ann')]))
  const many = (count: number) => c.asAnn(sendToWardenGroup, toGroup(c, Array(count).fill(bob)))

  expect(reply.message).toBe('Message sent to 1 wardens.')
  expect((await many(500)).message).toBe('Message sent to 1 wardens.')
  expect(await refused(many(501))).toEqual(['invalid_request'])
  expect((await withWarden(c.asBob, c.ann)).messages).toHaveLength(2)
})

test('GRP-18 EVENT-61 who was signed out of the event since the list was shown is passed over, and not texted', async ({
  server,
}) => {
  const c = await conversation(server)
  const closed = server.db.updateTable('wardenSignIn').set({ closedAt: new Date() })
  await closed.where('uid', '=', c.signIns.cas).execute()

  const reply = await c.asAnn(sendToWardenGroup, toGroup(c, [member(c, 'bob'), member(c, 'cas')]))

  expect(reply.message).toBe('Message sent to 1 wardens.')
  expect(await messageTexts(server, c.eventUid)).toEqual([])
})

/** Tower A with people of every kind on two floors, and one in Tower B; Ann, of the ground floor, asks. */
async function crowd(server: TestServer) {
  const { given } = server
  const org = await given.organisation()
  const ann = await given.warden(org, { firstName: 'Ann' })
  const people = {
    ada: await given.occupant(org, { firstName: 'Ada', mobile: '61491570101' }),
    ben: await given.occupant(org, { firstName: 'Ben', mobile: null }),
    cleo: await given.occupant(org, { firstName: 'Cleo', mobile: '61491570103' }),
    dora: await given.occupant(org, { firstName: 'Dora', floorUid: org.floors[1], mobile: '61491570104' }),
    eve: await given.occupant(org, { firstName: 'Eve', floorUid: org.otherFloorUid, mobile: '61491570105' }),
  }
  const event = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  await replyFrom(server, '61491570103', 'STOP')
  const asAnn = await server.onDuty(ann)
  const count = (filters: FilterSet) => asAnn(countEvacueeGroup, { body: { filters } })
  const send = (filters: FilterSet, ...rest: [string?, (0 | 1)?]) => asAnn(sendToEvacueeGroup, group(filters, ...rest))
  return { org, people, asAnn, count, send, ...event }
}

test('API-61 API-62 EGRP-08 AMB-141 as many are texted as were counted: matched, with a mobile, willing, each once', async () => {
  await using own = await startTestServer()
  const c = await crowd(own)

  const counted = await c.count(everyone())
  const sent = await c.send(everyone())
  await sendTexts(own)

  expect(counted).toEqual({ count: 3, without_mobile: 1, sms_refused: 1 })
  expect(sent).toEqual({ status: 'message_sent', message: 'Message sent to 3 evacuees.' })
  for (const mobile of ['61491570101', '61491570104', '61491570105'])
    expect(await textsOn(own, mobile)).toEqual(['Use stairs B.'])
  expect(await textsOn(own, '61491570103')).toEqual([])
  const texts = await messageTexts(own, c.eventUid)
  expect(texts.filter(({ status }) => status === 'skipped')).toMatchObject([
    { personUid: c.people.cleo, reason: 'SMS refused.' },
  ])
  expect((await withEvacuee(c.asAnn, c.people.dora)).messages).toMatchObject([{ text: 'Use stairs B.' }])
  expect((await withEvacuee(c.asAnn, c.people.cleo)).messages).toMatchObject([{ text: 'STOP' }])
})

test('AMB-120 AMB-121 the filters of evacuee safety decide whom it reaches, floors as the send names them', async ({
  server,
}) => {
  const c = await crowd(server)
  await c.asAnn(setPersonStatus, { body: { personId: c.people.ada, status: 'safe', floorId: c.org.floorUid } })
  const reaches = async (over: Partial<FilterSet>) => (await c.count(everyone(over))).count

  expect({
    mine: await reaches({ area: 'my area' }),
    above: await reaches({ area: 'building', floors: [c.org.floors[1]] }),
    abroad: await reaches({ area: 'building', floors: [(await server.given.organisation()).floorUid] }),
    safe: await reaches({ display: 'safe' }),
    unknown: await reaches({ display: 'unknown' }),
    visitors: await reaches({ visitor: true }),
    byName: await reaches({ search: 'dora' }),
    byNumber: await reaches({ search: '0491 570 105' }),
    byPlace: await reaches({ search: 'tower b' }),
    tooShort: await reaches({ search: 'do' }),
    noReply: await reaches({ message: 'no reply' }),
  }).toEqual({
    mine: 1,
    above: 1,
    abroad: 0,
    safe: 1,
    unknown: 2,
    visitors: 0,
    byName: 1,
    byNumber: 1,
    byPlace: 1,
    tooShort: 3,
    noReply: 0,
  })
  const floors = [c.org.floors[1]]
  const narrowed = await c.asAnn(sendToEvacueeGroup, {
    body: { ...group(everyone()).body, filters: everyone({ area: 'building' }), floors },
  })
  expect(narrowed.message).toBe('Message sent to 1 evacuees.')
  expect(await reaches({ message: 'no reply' })).toBe(1)
})

test('EGRP-08 the recipients are those of the moment of sending', async ({ server }) => {
  const c = await crowd(server)
  await c.count(everyone({ display: 'unknown' }))
  await c.asAnn(setPersonStatus, { body: { personId: c.people.ada, status: 'safe', floorId: c.org.floorUid } })

  const sent = await c.send(everyone({ display: 'unknown' }))

  expect(sent.message).toBe('Message sent to 2 evacuees.')
  expect((await withEvacuee(c.asAnn, c.people.ada)).messages).toEqual([])
})

test('UX-04 a send to a number that is no longer so is refused whole; within 10 % it goes, and without a number as ever', async ({
  server,
}) => {
  const c = await crowd(server)
  const sendTo = (count: number, headers?: ReturnType<typeof withKey>) =>
    c.asAnn(sendToEvacueeGroup, { body: { ...group(everyone()).body, count } }, headers)

  expect(await refused(sendTo(2), sendTo(4), sendTo(0))).toEqual(Array(3).fill('audience_changed'))
  expect(await messageTexts(server, c.eventUid)).toEqual([])
  expect((await withEvacuee(c.asAnn, c.people.ada)).messages).toEqual([])

  const key = withKey()
  expect(await refused(sendTo(2, key))).toEqual(['audience_changed'])
  expect((await sendTo(3, key)).message).toBe('Message sent to 3 evacuees.')
  // the answer of what was sent, not a look at the people again
  await c.asAnn(setPersonStatus, { body: { personId: c.people.ada, status: 'safe', floorId: c.org.floorUid } })
  expect((await sendTo(3, key)).message).toBe('Message sent to 3 evacuees.')
  expect((await withEvacuee(c.asAnn, c.people.ada)).messages).toHaveLength(1)
  expect((await c.send(everyone())).message).toBe('Message sent to 3 evacuees.')
})

test('UX-04 of 20 whom the filters find, who saw 19 to 22 is taken at their word and who saw 18 or 23 is not; no number at all is 422', async ({
  server,
}) => {
  const { given } = server
  const org = await given.organisation()
  const ann = await given.warden(org)
  await given.occupants(org, 20)
  await server.runningEvent(org)
  const asAnn = await server.onDuty(ann)
  const sendTo = (count: unknown) =>
    asAnn(sendToEvacueeGroup, { body: { ...group(everyone()).body, count: count as number } })

  const outcomes = await refused(...[18, 23, 19, 22, -1, 1.5, '20', null, 10_000_001].map(sendTo))

  expect(outcomes).toEqual([
    ...['audience_changed', 'audience_changed', 'answered', 'answered'],
    ...Array(5).fill('invalid_request'),
  ])
})

test('API-62 API-70 without leave to send texts it is 409; beyond 130 characters, or empty, 422', async ({
  server,
}) => {
  const silent = await conversation(server, { smsAllowed: false })
  const c = await crowd(server)

  const codes = await refused(
    silent.asAnn(sendToEvacueeGroup, group(everyone())),
    c.send(everyone(), 'x'.repeat(131)),
    c.send(everyone(), '🔥'.repeat(66)),
    c.send(everyone(), ' '),
  )

  expect(codes).toEqual(['sms_not_allowed', 'invalid_request', 'invalid_request', 'invalid_request'])
  expect(await messageTexts(server, silent.eventUid)).toEqual([])
})

test('F12 one key twenty times at once texts each person once', async ({ server }) => {
  const c = await crowd(server)
  const key = withKey()

  const send = () => c.asAnn(sendToEvacueeGroup, group(everyone()), key)
  const replies = await Promise.all(Array.from({ length: 20 }, send))

  expect(new Set(replies.map(({ message }) => message))).toEqual(new Set(['Message sent to 3 evacuees.']))
  const texts = (await messageTexts(server, c.eventUid)).filter(({ status }) => status === 'queued')
  expect(texts.map(({ personUid }) => personUid).toSorted()).toEqual(
    [c.people.ada, c.people.dora, c.people.eve].toSorted(),
  )
})

test('EVENT-24 group sends against the end of the event: what was answered as sent was written, and no text leaves after', async () => {
  await using own = await startTestServer()
  const c = await conversation(own)
  const outcomes = await Promise.all([
    ...Array.from({ length: 6 }, async () => (await refused(c.asAnn(sendToEvacueeGroup, group(everyone()))))[0]),
    ...Array.from({ length: 6 }, async () => (await refused(c.asAnn(sendToWardenGroup, toGroup(c))))[0]),
    c.manager(endEvent, endInput(c.org)),
  ])
  const answered = outcomes.filter((outcome) => outcome === 'answered').length

  const rows = await own.db.selectFrom('message').select('groupUid').distinct().execute()
  expect(rows).toHaveLength(answered)
  await sendTexts(own)
  const states = (await messageTexts(own, c.eventUid)).map(({ status, reason }) => `${status} ${reason}`)
  expect(states.filter((state) => state !== 'skipped The event has ended.')).toEqual([])
  expect(await refused(c.asAnn(sendToEvacueeGroup, group(everyone())))).toEqual(['no_event'])
})

test('T32 EGRP-08 with the budget used up a group message says how many were texted, and how many to call', async ({
  server,
}) => {
  const c = await crowd(server)
  await server.db.updateTable('client').set({ smsDailyAlerts: 2 }).where('uid', '=', c.org.clientUid).execute()

  expect(await c.send(everyone())).toEqual({
    status: 'message_sent',
    message: 'Message sent to 2 evacuees. 1 was not texted: the text budget for today is used up. Call instead.',
  })

  await sendTexts(server)
  const texts = await messageTexts(server, c.eventUid)
  expect(texts.map(({ status, reason }) => `${status} ${reason}`).toSorted()).toEqual([
    'delivered null',
    'delivered null',
    'skipped SMS refused.',
    'skipped The text budget for today is used up.',
  ])
})

test('T32 GRP-17 with the budget used up wardens have a message in the app, and its sender reads who was not texted', async ({
  server,
}) => {
  const c = await conversation(server)
  await server.db.updateTable('client').set({ smsDailyAlerts: 0 }).where('uid', '=', c.org.clientUid).execute()

  expect(await c.asAnn(sendToWardenGroup, toGroup(c))).toMatchObject({
    message: 'Message sent to 2 wardens. 1 was not texted: the text budget for today is used up. Call instead.',
  })

  const { messages } = await withWarden(c.asAnn, c.cas)
  expect(messages).toMatchObject([{ delivery: { status: 'skipped', reason: 'The text budget for today is used up.' } }])
})
