import { expect } from 'vitest'
import { codedQuestion } from '#features/messaging/server/messaging.fixture.ts'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { askUnknown, countAsked } from '../calls.ts'
import { plainQuestion } from '../words.ts'
import { type Caller, kindsOf, sweep } from './accounting.fixture.ts'

const everyone = { floors: [], causes: ['unclear', 'text_failed', 'asked', 'seen_before', 'not_asked'] as const }
const ask = (by: Caller, count: number, over: object = {}, key?: string) =>
  by(askUnknown, { body: { floors: [], causes: [...everyone.causes], count, ...over } }, withKey(key))
const count = (by: Caller, over: object = {}) =>
  by(countAsked, { body: { floors: [], causes: [...everyone.causes], ...over } })

test('REC-09 the plain question goes to the unknown, is counted in segments, and its answer sets the status', async ({
  server,
}) => {
  const s = await sweep(server, { persons: 5, kind: 'drill' })
  const [safe, answering, without] = s.persons
  await s.record(s.asAnn, safe, 'safe')
  const person = server.db.updateTable('person').where('uid', '=', without)
  await person.set({ mobile: null }).execute()

  // 68 letters and the prefix of a drill are one segment
  expect(await count(s.asAnn)).toEqual({
    text: plainQuestion,
    count: 3,
    segments: 3,
    asked_lately: 0,
    without_mobile: 1,
    sms_refused: 0,
  })
  expect(await ask(s.asAnn, 3)).toEqual({ status: 'message_sent', message: 'Message sent to 3 evacuees.' })

  const { mobile } = await server.db
    .selectFrom('person')
    .select('mobile')
    .where('uid', '=', answering)
    .executeTakeFirstOrThrow()
  await server.stranger(sendSimulatedReply, { body: { id: crypto.randomUUID(), mobile: mobile as string, text: '1' } })
  expect((await server.evacueeOf(s.eventUid, answering))?.status).toBe('safe')
  expect(await kindsOf(s)).toEqual([])
})

test('REC-09 the newest coded template is asked, and a person once in 3 minutes', async ({ server }) => {
  const s = await sweep(server)
  const template = { clientUid: s.org.clientUid, type: 'Evacuee', automatedResponse: true }
  await server.db
    .insertInto('messageTemplate')
    .values([
      { ...template, code: 'A', text: 'Reply 1 if safe' },
      { ...template, code: 'B', text: codedQuestion },
    ])
    .execute()
  expect((await count(s.asAnn)).text).toBe(codedQuestion)
  const key = crypto.randomUUID()
  const sent = await ask(s.asAnn, 4, {}, key)

  expect(await ask(s.asAnn, 4, {}, key)).toEqual(sent)
  expect(await count(s.asAnn)).toMatchObject({ count: 0, asked_lately: 4 })
  expect(await refused(ask(s.asBob, 4))).toEqual(['changed_since'])
  const questions = server.db.selectFrom('message').select('seq').where('eventUid', '=', s.eventUid)
  expect(await questions.execute()).toHaveLength(4)
  const earlier = new Date(Date.now() - 181_000)
  await server.db.updateTable('message').set({ writtenAt: earlier }).where('eventUid', '=', s.eventUid).execute()
  expect(await count(s.asAnn, { causes: ['asked'] })).toMatchObject({ count: 4, asked_lately: 0 })
  expect(await count(s.asAnn, { causes: ['not_asked'] })).toMatchObject({ count: 0 })
})

test('REC-09 many managers who ask at once ask no one twice', async ({ server }) => {
  const s = await sweep(server, { persons: 30 })

  const answers = await Promise.allSettled([...Array(8)].map((_, n) => ask(n % 2 ? s.asAnn : s.asBob, 30)))

  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const questions = server.db.selectFrom('message').select('evacueeUid').where('eventUid', '=', s.eventUid)
  expect(await questions.execute()).toHaveLength(30)
})

test('REC-09 counted again: more than 10 % other is not sent, nor without SMS; floors of others are none', async ({
  server,
}) => {
  const s = await sweep(server, { persons: 10 })
  const silent = await sweep(server, { smsAllowed: false })

  expect(await refused(ask(s.asAnn, 12))).toEqual(['changed_since'])
  expect(await refused(ask(s.asAnn, 8))).toEqual(['changed_since'])
  expect(await refused(ask(s.asAnn, 10, { floors: [silent.org.floorUid] }))).toEqual(['not_found'])
  expect(await refused(ask(silent.asAnn, 4))).toEqual(['sms_not_allowed'])
  expect(await ask(s.asAnn, 11, { floors: [s.org.floorUid] })).toMatchObject({ status: 'message_sent' })
})
