import { expect } from 'vitest'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { keepInboundText } from '#features/texts/server/inbound/inbound.service.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { sendToEvacuee } from '../calls/messaging.ts'
import {
  askPerson,
  codedQuestion,
  conversation,
  messageTexts,
  record,
  replyFrom,
  statusOf,
  toPerson,
  withEvacuee,
} from './messaging.fixture.ts'
import { receiveReply } from './receive-reply.service.ts'

test('MSG-37 AMB-130 after a coded question 1 sets safe and 2 danger, is acknowledged, and counts follow', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)

  expect(await replyFrom(server, c.mobile, '2')).toEqual({ outcome: 'status_set' })
  expect(await statusOf(server, c)).toBe('danger')
  await askPerson(c)
  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })
  expect(await statusOf(server, c)).toBe('safe')

  await sendTexts(server)
  const acknowledged = await textsOn(server, c.mobile)
  expect(acknowledged.filter((text) => text.startsWith('Thank you.')).toSorted()).toEqual([
    'Thank you. You are recorded as in danger, and wardens can see it. Reply 1 when you are safe.',
    'Thank you. You are recorded as safe. Reply 2 if you need help.',
  ])
  expect(acknowledged.every((text) => text.length <= 130)).toBe(true)
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})

test("ANS-06 a late or doubled '1' lifts no danger that was said after its question, whatever id it comes under", async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  for (const word of ['1', '2', '2']) await replyFrom(server, c.mobile, word)

  expect([await replyFrom(server, c.mobile, '1'), await statusOf(server, c)]).toEqual([{ outcome: 'stored' }, 'danger'])

  expect(await server.evacueeOf(c.eventUid, c.person)).toMatchObject({ dispute: 'own_safe' })
  await sendTexts(server)
  expect(await textsOn(server, c.mobile)).toContain(
    'Thank you. You are still recorded as in danger, until a warden confirms that you are safe.',
  )
  await askPerson(c)
  expect([await replyFrom(server, c.mobile, '1'), await statusOf(server, c)]).toEqual([
    { outcome: 'status_set' },
    'safe',
  ])
})

test('ANS-06 a "safe" that was sent before what stands sets nothing; help counts, however late it comes', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  const receivedAt = new Date()
  const say = (text: string) =>
    receiveReply(server.app, { providerId: crypto.randomUUID(), fromNumber: c.mobile, text, receivedAt })
  await record(c, 'unknown')

  expect([await say('1'), await statusOf(server, c)]).toEqual([{ outcome: 'stored' }, 'unknown'])
  expect([await say('2'), await statusOf(server, c)]).toEqual([{ outcome: 'status_set' }, 'danger'])

  expect(await server.evacueeOf(c.eventUid, c.person)).toMatchObject({ dispute: null })
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})

test('MSG-37 AMB-130 after a message without the flag, or none, nothing changes; a warden reads it', async ({
  server,
}) => {
  const c = await conversation(server)
  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'stored' })
  await askPerson(c)
  await c.asAnn(sendToEvacuee, toPerson(c, 'Which floor are you on?', 0))

  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'stored' })

  expect(await statusOf(server, c)).toBe('unknown')
  expect((await withEvacuee(c.asAnn, c.person)).recipient.message.unread).toBe(true)
})

test('MSG-37 what a text says is recorded as said by text, in the list and in the journal, until a warden records', async ({
  server,
}) => {
  const c = await conversation(server)
  await record(c, 'danger on floor')
  await askPerson(c)
  const onList = async () => {
    const data = await c.asAnn(getFloorData, {})
    return 'persons' in data ? data.persons.find(({ id }) => id === c.person) : undefined
  }

  await replyFrom(server, c.mobile, 'safe')

  expect(await onList()).toMatchObject({ status: 'safe', on_floor: false, by_sms: true })
  const entry = (await server.journalOf(c.person)).findLast(({ action }) => action === 'evacuee_status_set')
  expect(entry).toMatchObject({
    actorPersonUid: c.person,
    actorSignInUid: null,
    before: { status: 'danger', on_floor: true },
    after: { status: 'safe', by_sms: true, superseded: false, message_id: expect.any(Number) },
  })
  await record(c, 'safe')
  expect(await onList()).toMatchObject({ status: 'safe', by_sms: false })
})

test("AMB-130 what a warden has recorded already stays the warden's word", async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)
  await record(c, 'safe on floor')

  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'stored' })

  const { recipient, messages } = await withEvacuee(c.asAnn, c.person)
  expect(recipient).toMatchObject({ status: 'safe', on_floor: true, by_sms: false })
  expect(messages.at(-1)).toMatchObject({ text: '1', recorded: null })
})

test('AMB-130 a danger that a warden saw after the question stands against a "safe" by text; asked again it does not', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  await record(c, 'in danger')

  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'stored' })

  expect(await statusOf(server, c)).toBe('danger')
  const kept = (await server.journalOf(c.person)).filter(({ action }) => action === 'evacuee_status_set').at(-1)
  expect(kept?.after).toMatchObject({ status: 'safe', superseded: true, by_sms: true })
  await sendTexts(server)
  expect(await textsOn(server, c.mobile)).toContain(
    'Thank you. You are still recorded as in danger, until a warden confirms that you are safe.',
  )
  await askPerson(c)
  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})

test.for([
  ['"2" is a danger, though it is read after a message without a code', '2', 'unknown', 'Help is coming'],
  ['"1" is no answer to a question that was repeated after a warden saw danger', '1', 'in danger', codedQuestion],
] as const)(
  'AMB-130 a reply that waited answers the question before it: %s',
  async ([, text, seen, later], { server }) => {
    const c = await conversation(server)
    await askPerson(c)
    const receivedAt = new Date()
    await record(c, seen)
    await c.asAnn(sendToEvacuee, toPerson(c, later, later === codedQuestion ? 1 : 0))

    await receiveReply(server.app, { providerId: `test:${c.eventUid}`, fromNumber: c.mobile ?? '', text, receivedAt })

    expect(await statusOf(server, c)).toBe('danger')
  },
)

test('AMB-130 who is asked again and says the same has answered again, also where the provider names no text', async ({
  server,
}) => {
  const c = await conversation(server)
  const say = (body: string) => keepInboundText(server.app, { gateway: 'smpp', from: c.mobile ?? '', body })
  await askPerson(c)

  expect([await say('2'), await say('2')]).toEqual([true, false])
  await askPerson(c)
  expect([await say('2'), await say('2')]).toEqual([true, false])
})

test('AMB-130 only a danger that was seen after the question stands: not one that was only reported after it, nor an unknown', async ({
  server,
}) => {
  const [reportedLate, unknown] = [await conversation(server), await conversation(server)]
  const startedAt = new Date(Date.now() - 600_000)
  await server.db
    .updateTable('event')
    .set({ startedAt, beganAt: startedAt })
    .where('uid', '=', reportedLate.eventUid)
    .execute()
  await record(unknown, 'safe')
  for (const c of [reportedLate, unknown]) await askPerson(c)
  const now = Date.now()
  const seen = { 'x-observed-at': new Date(now - 60_000).toISOString(), 'x-sent-at': new Date(now).toISOString() }
  await record(reportedLate, 'in danger', seen)
  await record(unknown, 'unknown')

  for (const c of [reportedLate, unknown])
    expect([await replyFrom(server, c.mobile, '1'), await statusOf(server, c)]).toEqual([
      { outcome: 'status_set' },
      'safe',
    ])
})

test('AMB-130 a phone that answers by itself is acknowledged once for each question', async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)

  for (let i = 0; i < 5; i++) await replyFrom(server, c.mobile, 'safe')

  const texts = await messageTexts(server, c.eventUid)
  expect(texts.filter(({ body }) => body.startsWith('Thank you.'))).toHaveLength(1)
})

test('AMB-130 each of several who answer the same is acknowledged', async ({ server }) => {
  const c = await conversation(server)
  const [mobile, floorUid] = ['61491570161', c.org.otherFloorUid]
  const other = { ...c, mobile, person: await server.given.occupant(c.org, { mobile, floorUid }) }
  await c.manager(createEvent, startInput(c.org, { buildings: [c.org.otherBuildingUid] }))
  for (const each of [c, other]) await askPerson(each)

  for (const { mobile } of [c, other]) await replyFrom(server, mobile, '1')

  const texts = (await messageTexts(server, c.eventUid)).filter(({ body }) => body.startsWith('Thank you.'))
  expect(texts.map(({ personUid }) => personUid).toSorted()).toEqual([c.person, other.person].toSorted())
})

test('AMB-130 who is in two events is acknowledged in each of them', async ({ server }) => {
  const c = await conversation(server)
  const place = await server.given.site(c.org)
  const { person } = c
  await server.db.updateTable('person').set({ primaryFloorUid: place.floorUid }).where('uid', '=', person).execute()
  const elsewhere = await server.runningEvent({ ...c.org, ...place, floors: c.org.floors })
  await elsewhere.manager(sendToEvacuee, toPerson(c, codedQuestion, 1))
  await askPerson(c)

  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })
  await c.manager(endEvent, endInput(c.org))
  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })

  for (const { eventUid } of [c, elsewhere]) {
    const texts = (await messageTexts(server, eventUid)).filter(({ body }) => body.startsWith('Thank you.'))
    expect(texts).toHaveLength(1)
  }
})

test('AMB-130 every question is acknowledged anew; without leave to send texts the answer counts in silence', async ({
  server,
}) => {
  const c = await conversation(server)
  const acknowledged = async () =>
    (await messageTexts(server, c.eventUid)).filter(({ body }) => body.startsWith('Thank you.')).length
  for (const answer of ['1', '2', '1']) {
    await askPerson(c)
    await replyFrom(server, c.mobile, answer)
  }
  expect(await acknowledged()).toBe(3)

  await askPerson(c)
  await server.db.updateTable('client').set({ smsAllowed: false }).where('uid', '=', c.org.clientUid).execute()

  expect(await replyFrom(server, c.mobile, '2')).toEqual({ outcome: 'status_set' })
  expect(await acknowledged()).toBe(3)
})
