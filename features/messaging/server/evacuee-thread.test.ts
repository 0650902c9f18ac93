import { expect } from 'vitest'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { getEvacueeThread, pollEvacueeThread, sendToEvacuee, sendToWarden } from '../calls/messaging.ts'
import {
  askPerson,
  codedQuestion,
  conversation,
  messageTexts,
  publicationsOn,
  replyFrom,
  toPerson,
  withEvacuee,
} from './messaging.fixture.ts'

test('API-56 API-58 MSG-28 a text to an evacuee goes out, and stands in the thread with what became of it', async ({
  server,
}) => {
  const c = await conversation(server)

  const sent = await c.asAnn(sendToEvacuee, toPerson(c))
  await sendTexts(server)

  const own = { senderId: c.signIns.ann, role: 'Floor Warden', read: false, text: 'Are you safe?', sms: true }
  expect(sent).toMatchObject({ status: 'message_sent', newMessages: [{ ...own, delivery: { status: 'queued' } }] })
  expect(await textsOn(server, c.mobile)).toEqual(['Are you safe?'])
  expect(await withEvacuee(c.asAnn, c.person)).toMatchObject({
    recipient: { id: c.person, name: 'Olga Orr', location: 'Tower A - Ground', message: { noreply: true } },
    messages: [{ ...own, delivery: { status: 'delivered', reason: null } }],
    sms_allowed: true,
    senderWardenSignInUid: c.signIns.ann,
  })
})

test('MSG-38 F10 a message may be sent for fifteen minutes: later it misleads', async ({ server }) => {
  const c = await conversation(server)

  await c.asAnn(sendToEvacuee, toPerson(c))

  const [text] = await messageTexts(server, c.eventUid)
  expect(((text?.validUntil?.getTime() ?? 0) - (text?.createdAt.getTime() ?? 0)) / 60_000).toBeCloseTo(15, 1)
})

test('MSG-32 the flag of the template goes with the message', async ({ server }) => {
  const c = await conversation(server)

  await c.asAnn(sendToEvacuee, toPerson(c, 'Free text', 0))
  await c.asAnn(sendToEvacuee, toPerson(c, codedQuestion, 1))

  const rows = server.db.selectFrom('message').selectAll().where('eventUid', '=', c.eventUid).orderBy('seq')
  expect(await rows.execute()).toMatchObject([{ automatedResponse: false }, { automatedResponse: true }])
})

test('AMB-130 only the words of a template of ours make a message ask for a code, whatever the caller says', async ({
  server,
}) => {
  const c = await conversation(server)
  const other = await server.given.organisation()
  const coded = { type: 'Evacuee', automatedResponse: true }
  const { clientUid } = c.org
  const rows = [
    { ...coded, clientUid, code: 'OFF', text: 'Withdrawn', active: false },
    { ...coded, clientUid, code: 'WARDEN', text: 'For wardens', type: 'Warden' },
    { ...coded, clientUid, code: 'PLAIN', text: 'Plain', automatedResponse: false },
    { ...coded, clientUid: other.clientUid, code: 'OTHER', text: 'Of another client' },
  ]
  await server.db.insertInto('messageTemplate').values(rows).execute()

  for (const { text } of [...rows, { text: `${codedQuestion} Now!` }])
    await c.asAnn(sendToEvacuee, toPerson(c, text, 1))
  await c.asAnn(sendToEvacuee, toPerson(c, codedQuestion, 0))

  const sent = server.db.selectFrom('message').select('automatedResponse').where('eventUid', '=', c.eventUid)
  expect(new Set((await sent.execute()).map((row) => row.automatedResponse))).toEqual(new Set([false]))
})

test('MSG-35 MSG-11 someone who has left the event with their building is not written to', async ({ server }) => {
  const c = await conversation(server)
  const evacuees = server.db.updateTable('evacuee').set({ active: false }).where('personUid', '=', c.person)
  await evacuees.execute()

  expect(await refused(c.asAnn(sendToEvacuee, toPerson(c)))).toEqual(['not_found'])
})

test('MSG-35 AMB-126 every warden with the module reads and writes the thread; without it, none', async ({
  server,
}) => {
  const c = await conversation(server)
  const modules = ['Module_Warden_Messaging'] as const
  const without = await server.given.warden(c.org, { modules })
  await c.asAnn(sendToEvacuee, toPerson(c))
  await c.asBob(sendToEvacuee, toPerson(c, 'Stay where you are.'))

  const { messages } = await withEvacuee(c.manager, c.person)

  expect(messages).toMatchObject([
    { name: expect.stringMatching(/^Ann /), role: 'Floor Warden' },
    { name: expect.stringMatching(/^Bob /), role: 'Floor Warden' },
  ])
  const call = await server.as(without)
  const codes = await refused(
    call(getEvacueeThread, { query: { toEvacuee: c.person } }),
    call(sendToEvacuee, toPerson(c)),
  )
  expect(codes).toEqual(['forbidden', 'forbidden'])
})

test('MSG-11 API-70 not without leave to send texts, not without a mobile, not to who refused; and why', async ({
  server,
}) => {
  const silent = await conversation(server, { smsAllowed: false })
  const mute = await conversation(server)
  await server.db.updateTable('person').set({ mobile: null }).where('uid', '=', mute.person).execute()
  const unwilling = await conversation(server)
  await replyFrom(server, unwilling.mobile, 'STOP')

  const attempts = [silent, mute, unwilling].map((c) => c.asAnn(sendToEvacuee, toPerson(c)))

  expect(await Promise.all(attempts)).toEqual([
    { status: 'not_sent', message: expect.stringMatching(/^ALL WARDENS SMS messaging is not activated\. Use/) },
    { status: 'not_sent', message: 'There is no mobile number on file for this person.' },
    { status: 'not_sent', message: 'This person has refused SMS (answered STOP).' },
  ])
  for (const { eventUid } of [silent, mute, unwilling]) expect(await messageTexts(server, eventUid)).toEqual([])
})

test('MSG-36 AMB-127 a reply is unread for all until one of them opens the thread; lists show it', async ({
  server,
}) => {
  const c = await conversation(server)
  await c.asAnn(sendToEvacuee, toPerson(c))
  const onList = async () => {
    const data = await c.asAnn(getFloorData, {})
    return 'persons' in data ? data.persons.find(({ id }) => id === c.person)?.message : undefined
  }
  expect(await onList()).toEqual({ unread: false, noreply: true })

  await replyFrom(server, c.mobile, 'I am fine')

  expect(await onList()).toEqual({ unread: true, noreply: false })
  const reply = { senderId: c.person, name: 'Olga Orr', role: 'Occupant', text: 'I am fine', sms: true, delivery: null }
  expect((await withEvacuee(c.asBob, c.person)).messages).toMatchObject([{}, { ...reply, read: false }])
  const poll = await c.asAnn(pollEvacueeThread, { query: { toEvacuee: c.person } })
  expect(poll.messages).toMatchObject([{}, { ...reply, read: true }])
  expect(await onList()).toEqual({ unread: false, noreply: false })
})

test('RT-18 AMB-128 a reply raises the banner of whom it concerns, once; reading it lowers it for all of them', async ({
  server,
}) => {
  const c = await conversation(server)
  await c.asBob(sendToEvacuee, toPerson(c))
  await server.onDuty(c.cas)
  await replyFrom(server, c.mobile, 'one')
  await replyFrom(server, c.mobile, 'two')
  await withEvacuee(c.asAnn, c.person)

  const banner = async (signIn: string) => {
    const all = await publicationsOn(server, `warden:${signIn}`)
    return all.filter((p) => 'evacuee_unread_msg' in p).map((p) => p.evacuee_unread_msg)
  }
  // Ann's floor, Bob wrote, the chief has the whole site; each is told when it begins and when it ends
  for (const signIn of [c.signIns.ann, c.signIns.bob, c.signInUid])
    await expect.poll(() => banner(signIn)).toEqual([true, false])
  expect(await banner(c.signIns.cas)).toEqual([])
  const changed = (await publicationsOn(server, `event:${c.eventUid}`)).flatMap((p) => p.changed ?? [])
  expect(changed.filter((each) => (each as { topic: string }).topic === 'message')).toEqual(
    Array(4).fill({ topic: 'message', ids: [c.person] }),
  )
})

test('AMB-148 T1 who is not an evacuee of this event is 404, to read and to write', async ({ server }) => {
  const [c, other] = [await conversation(server), await conversation(server)]
  const strangers = [other.person, c.bob.personUid, '00000000-0000-4000-8000-000000000000' as PersonUid]

  for (const person of strangers) {
    const codes = await refused(
      c.asAnn(getEvacueeThread, { query: { toEvacuee: person } }),
      c.asAnn(sendToEvacuee, toPerson({ ...c, person })),
    )
    expect(codes).toEqual(['not_found', 'not_found'])
  }
  expect(await server.journalOf(other.person)).toEqual([])
})

test('AMB-148 nor are people of another event of the same organisation written to from this one', async ({
  server,
}) => {
  const c = await conversation(server)
  const { siteUid, buildingUid, floorUid } = await server.given.site(c.org)
  const elsewhere = { ...c.org, siteUid, buildingUid, floorUid }
  const person = await server.given.occupant(elsewhere)
  const { chief, signInUid } = await server.runningEvent(elsewhere)
  const toChief = { message: 'Hello', receiverId: chief.assignmentUid, from: c.signIns.ann, to: signInUid }

  const codes = await refused(
    c.asAnn(sendToEvacuee, toPerson({ ...c, person })),
    c.asAnn(sendToWarden, { body: toChief }),
  )

  expect(codes).toEqual(['not_found', 'not_found'])
})

test('F12 one key twenty times at once is one message and one text', async ({ server }) => {
  const c = await conversation(server)
  const key = withKey()

  await Promise.all(Array.from({ length: 20 }, () => c.asAnn(sendToEvacuee, toPerson(c), key)))

  expect((await withEvacuee(c.asAnn, c.person)).messages).toHaveLength(1)
  expect(await messageTexts(server, c.eventUid)).toHaveLength(1)
})

/** The worker's part. */
const writeAll = async ({ db }: TestServer) => {
  while (await writeBroadcastPage(db));
}

test("AMB-093 what everyone was texted at the start stands in each evacuee's thread, as the event manager's message", async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const [told, mute] = [await server.given.occupant(org), await server.given.occupant(org, { mobile: null })]
  const { signInUid, eventUid } = await server.runningEvent(org, { broadcastMessage: 'yes' })
  const call = await server.onDuty(warden)
  await writeAll(server)

  const { messages, recipient } = await withEvacuee(call, told)

  const copy = { senderId: signInUid, role: 'Chief Warden', text: 'Evacuate now.', delivery: { status: 'queued' } }
  expect(messages).toMatchObject([copy])
  expect(recipient.message).toEqual({ unread: false, noreply: true })
  expect((await withEvacuee(call, mute)).messages).toEqual([])
  const texts = await server.db.selectFrom('sms').selectAll().where('eventUid', '=', eventUid).execute()
  expect(texts.filter(({ personUid }) => personUid === told)).toHaveLength(1)
})

test('AMB-093 an addition is told to those of the added building only; without leave to send texts no one is', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const inA = await server.given.occupant(org)
  const inB = await server.given.occupant(org, { floorUid: org.otherFloorUid })
  const { manager } = await server.runningEvent(org)
  const buildings = [org.otherBuildingUid]
  await manager(createEvent, startInput(org, { buildings, message: 'Tower B too.', broadcastMessage: 'yes' }))
  const silent = await server.given.organisation({ smsAllowed: false })
  const untold = await server.given.occupant(silent)
  const quiet = await server.runningEvent(silent, { broadcastMessage: 'yes' })
  await writeAll(server)

  expect((await withEvacuee(manager, inA)).messages).toEqual([])
  expect((await withEvacuee(manager, inB)).messages).toMatchObject([{ text: 'Tower B too.' }])
  expect((await withEvacuee(quiet.manager, untold)).messages).toEqual([])
})

test('AMB-093 the conclusion to a building that left stands in no thread, should the building come back', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const inB = await server.given.occupant(org, { floorUid: org.otherFloorUid })
  const { manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const buildings = [org.otherBuildingUid]
  await manager(endEvent, endInput(org, { buildings, broadcastMessage: 'yes' }))
  await writeAll(server)

  await manager(createEvent, startInput(org, { buildings }))

  expect((await withEvacuee(manager, inB)).messages).toEqual([])
})

test('MSG-37 AMB-130 the thread shows which reply set a status by itself', async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)

  await replyFrom(server, c.mobile, '2')
  await replyFrom(server, c.mobile, 'third floor, by the lift')

  const { messages, recipient } = await withEvacuee(c.asAnn, c.person)
  expect(messages).toMatchObject([{ recorded: null }, { text: '2', recorded: 'danger' }, { recorded: null }])
  expect(recipient).toMatchObject({ status: 'danger', on_floor: false, by_sms: true })
})
