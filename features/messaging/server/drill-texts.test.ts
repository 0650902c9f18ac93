import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { sendReportInLinks } from '#features/events/calls/report-in-links.ts'
import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { segmentsOf } from '#features/texts/segments.ts'
import { drillPrefix } from '#features/texts/words.ts'
import type { EventUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { sendToEvacueeGroup, sendToWarden } from '../calls/messaging.ts'
import { askPerson, type Conversation, conversation, everyone, replyFrom } from './messaging.fixture.ts'

const setKind = ({ db }: TestServer, { eventUid }: Conversation, kind: 'drill' | 'live') =>
  db.updateTable('event').set({ kind }).where('uid', '=', eventUid).execute()
const textsOf = ({ db }: TestServer, eventUid: EventUid) =>
  db.selectFrom('sms').selectAll().where('eventUid', '=', eventUid).orderBy('createdAt').execute()

/** One text of each kind that an event sends: question, acknowledgement, message, group, links, conclusion. */
async function sendEachKind(server: TestServer, c: Conversation) {
  await askPerson(c)
  await replyFrom(server, c.mobile, '1')
  await c.asAnn(sendToWarden, {
    body: { message: 'Where are you?', receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas },
  })
  const group = { filters: everyone(), automated_response_message: 0, floors: ['all'], msg: 'Keep calm.' } as const
  await c.asAnn(sendToEvacueeGroup, { body: { ...group, floors: ['all'] } })
  const links = { warden_sign_in_uids: [c.signIns.cas], sender_warden_sign_in_uid: c.signInUid }
  await c.manager(sendReportInLinks, { body: links })
  await sendTexts(server)
  await c.manager(endEvent, endInput(c.org, { broadcastMessage: 'yes' }))
  await sendTexts(server)
}

test.for([
  ['drill', drillPrefix],
  ['live', ''],
] as const)(
  'KIND-10 texts of each kind of a %s event leave with "%s" before them',
  async ([kind, prefix], { server }) => {
    const c = await conversation(server)
    await setKind(server, c, kind)

    await sendEachKind(server, c)

    const texts = await textsOf(server, c.eventUid)
    expect(new Set(texts.map((text) => text.kind))).toEqual(new Set(['message', 'report_in_link', 'event_concluded']))
    expect(new Set(texts.map((text) => text.prefix))).toEqual(new Set([prefix]))
    expect(texts.filter(({ body }) => body.startsWith('DRILL'))).toEqual([])
    const arrived = [...(await textsOn(server, c.mobile)), ...(await textsOn(server, c.cas.mobile))]
    expect(arrived.length).toBeGreaterThan(5)
    expect(arrived.filter((text) => text.startsWith('DRILL DRILL DRILL. ') !== (kind === 'drill'))).toEqual([])
    expect(arrived).toContain(`${prefix}Keep calm.`)
  },
)

test('KIND-10 a text that was written beside the product is prefixed too, and a sign-in link never', async ({
  server,
}) => {
  const c = await conversation(server)
  await setKind(server, c, 'drill')
  const { clientUid, personUid, mobile } = c.bob
  const text = { clientUid, personUid, eventUid: c.eventUid, toMobile: mobile, kind: 'message', body: 'By hand.' }
  await server.db
    .insertInto('sms')
    .values({ ...text, validUntil: new Date(Date.now() + 60_000) })
    .execute()
  await server.stranger(loginByMobile, { body: { phone: mobile as string } })

  await sendTexts(server)

  const arrived = await textsOn(server, mobile)
  expect(arrived).toContain('DRILL DRILL DRILL. By hand.')
  expect(arrived.filter((one) => /oken=/.test(one) && one.startsWith('DRILL'))).toEqual([])
  expect(arrived).toHaveLength(2)
})

test('KIND-10 the prefix counts for segments and budget, whether charged on sending or before', async ({ server }) => {
  const c = await conversation(server)
  await setKind(server, c, 'drill')
  const words = 'x'.repeat(130)
  const accented = 'ł'.repeat(60)
  for (const message of [words, accented])
    await c.asAnn(sendToWarden, {
      body: { message, receiverId: c.cas.assignmentUid, from: c.signIns.ann, to: c.signIns.cas },
    })
  const { personUid, mobile } = c.cas
  const text = { clientUid: c.org.clientUid, personUid, eventUid: c.eventUid, toMobile: mobile, kind: 'message' }
  await server.db
    .insertInto('sms')
    .values({ ...text, body: accented, validUntil: new Date(Date.now() + 60_000) })
    .execute()

  await sendTexts(server)

  expect(segmentsOf(drillPrefix + words).segments).toHaveLength(1)
  expect((await textsOf(server, c.eventUid)).map(({ segments }) => segments)).toEqual([1, 2, 2])
  const spent = server.db.selectFrom('smsSpend').select('segments').where('clientUid', '=', c.org.clientUid)
  expect(await spent.where('pot', '=', 'alerts').executeTakeFirst()).toEqual({ segments: 5 })
})
