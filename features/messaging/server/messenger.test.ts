import { expect } from 'vitest'
import { reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listTemplates, sendToWarden } from '../calls/messaging.ts'
import { filterMessenger, getMessengerData, listInbox } from '../calls/messenger.ts'
import { annToBob, type Conversation, codedQuestion, conversation, replyFrom, withWarden } from './messaging.fixture.ts'

type Filters = { b?: string; r?: string; s?: string; st?: string }

/** Ann's lists, by first name. */
const filtered = async ({ asAnn }: Conversation, { b = 'all', r = 'all', s = 'all', st }: Filters = {}) => {
  const query = { b, r, s, ...(st !== undefined && { st }) }
  return (await asAnn(filterMessenger, { query })).messengerList.map(({ name }) => name.split(' ')[0])
}
const inboxOf = async (call: Conversation['asAnn'], searchText?: string) => {
  const { cspdList } = await call(listInbox, { query: searchText === undefined ? {} : { searchText } })
  return cspdList.map(({ name, unread }) => `${name.split(' ')[0]}${unread ? ' unread' : ''}`)
}
const write = (c: Conversation, message: string, from: 'ann' | 'bob', to: 'ann' | 'bob' | 'cas') =>
  (from === 'ann' ? c.asAnn : c.asBob)(sendToWarden, {
    body: { message, receiverId: c[to].assignmentUid, from: c.signIns[from], to: c.signIns[to] },
  })

/** Bob has gone off duty, Cas is not available. */
async function scattered(server: TestServer) {
  const c = await conversation(server)
  await c.asBob(logout, {})
  await (await server.as(c.cas))(reportNotAvailable, {})
  return c
}

test('API-63 AMB-143 ALLMSG-16 all wardens of the event but oneself, by name, and what to filter them by', async ({
  server,
}) => {
  const c = await conversation(server)
  const data = await c.asAnn(getMessengerData, {})

  expect(data).toMatchObject({
    messengerList: [
      { id: c.bob.assignmentUid, status: 'On Duty', role: 'Floor Warden', wardenSignInUid: c.signIns.bob },
      { id: c.cas.assignmentUid, status: 'Unknown', areas: [{ name: 'Tower A - Level 2' }] },
      { id: c.chief.assignmentUid, role: 'Chief Warden', areas: [{ id: c.org.siteUid, name: c.org.siteName }] },
    ],
    buildings: [{ id: c.org.buildingUid, name: 'Tower A' }],
    roles: [{ name: 'Chief Warden' }, { name: 'Floor Warden' }],
    senderWardenSignInUid: c.signIns.ann,
    sms_allowed: true,
  })
})

test('API-64 AMB-143 by building (who has the whole site belongs to each), by role, by several at once', async ({
  server,
}) => {
  const c = await conversation(server)
  const { roles } = await c.asAnn(getMessengerData, {})
  const [chief, floor] = roles.map(({ id }) => id)

  expect(await filtered(c)).toEqual(['Bob', 'Cas', 'Chief'])
  expect(await filtered(c, { b: c.org.buildingUid })).toEqual(['Bob', 'Cas', 'Chief'])
  expect(await filtered(c, { b: c.org.otherBuildingUid })).toEqual(['Chief'])
  expect(await filtered(c, { r: floor as string })).toEqual(['Bob', 'Cas'])
  expect(await filtered(c, { r: `${floor},${chief}` })).toEqual(['Bob', 'Cas', 'Chief'])
  expect(await filtered(c, { r: floor as string, b: c.org.otherBuildingUid })).toEqual([])
})

test("API-64 AMB-143 ALLMSG-13 by status: 'not available' brings those off duty, 'off duty' them alone", async ({
  server,
}) => {
  const c = await scattered(server)

  expect(await filtered(c, { s: 'on duty' })).toEqual(['Chief'])
  expect(await filtered(c, { s: 'off duty' })).toEqual(['Bob'])
  expect(await filtered(c, { s: 'not available' })).toEqual(['Bob', 'Cas'])
  expect(await filtered(c, { s: 'on duty,off duty' })).toEqual(['Bob', 'Chief'])
  expect(await filtered(c, { s: 'unknown' })).toEqual([])
})

test('API-64 ALLMSG-17 ALLMSG-18 the search runs from one character on, in name and role; without a text all', async ({
  server,
}) => {
  const c = await conversation(server)

  expect(await filtered(c, { st: 'b' })).toEqual(['Bob'])
  expect(await filtered(c, { st: 'FLOOR' })).toEqual(['Bob', 'Cas'])
  expect(await filtered(c, { st: '%' })).toEqual([])
  expect(await filtered(c, { st: '' })).toEqual(['Bob', 'Cas', 'Chief'])
})

test('API-64 what is no filter is 422', async ({ server }) => {
  const c = await conversation(server)

  const wrong: Filters[] = [
    { b: 'x' },
    { b: '' },
    { r: `${c.org.buildingUid},` },
    { s: 'asleep' },
    { st: 'x'.repeat(101) },
  ]
  const codes = await refused(...wrong.map((filters) => filtered(c, filters)))

  expect(codes).toEqual(wrong.map(() => 'invalid_request'))
})

test('ALLMSG-23 API-65 AMB-142 the inbox has those one has a conversation with: unread first, then the newest', async ({
  server,
}) => {
  const c = await conversation(server)
  expect(await inboxOf(c.asAnn)).toEqual([])
  await write(c, 'One', 'bob', 'ann')
  await write(c, 'Two', 'ann', 'cas')

  expect(await inboxOf(c.asAnn)).toEqual(['Bob unread', 'Cas'])
  await withWarden(c.asAnn, c.bob)
  expect(await inboxOf(c.asAnn)).toEqual(['Cas', 'Bob'])
  await write(c, 'Three', 'bob', 'ann')
  await replyFrom(server, c.cas.mobile, 'Four')
  expect(await inboxOf(c.asAnn)).toEqual(['Cas unread', 'Bob unread'])
  expect(await inboxOf(c.asBob)).toEqual(['Ann'])
})

test('ALLMSG-24 a row of the inbox has what was written last between the two, by whom and when', async ({ server }) => {
  const c = await conversation(server)
  await write(c, 'One', 'bob', 'ann')
  await write(c, 'Two', 'ann', 'bob')
  await write(c, 'Three', 'ann', 'cas')
  await replyFrom(server, c.cas.mobile, `Four ${'x'.repeat(500)}`)
  const lastOf = async (call: Conversation['asAnn'], searchText?: string) =>
    (await call(listInbox, { query: { ...(searchText && { searchText }) } })).cspdList.map(
      ({ last_message }) => last_message,
    )
  const timestamp = expect.stringMatching(/^\d{4}-.*Z$/)

  const two = { text: 'Two', timestamp }
  const four = { text: `Four ${'x'.repeat(125)}`, own: false, timestamp }
  expect(await lastOf(c.asAnn)).toEqual([four, { ...two, own: true }])
  expect(await lastOf(c.asBob)).toEqual([{ ...two, own: false }])
  expect(await lastOf(c.asAnn, 'one')).toEqual([{ ...two, own: true }])
})

test('API-65 AMB-142 the search of the inbox looks at names, roles and every text of the conversation', async ({
  server,
}) => {
  const c = await conversation(server)
  await annToBob(c, 'The lift is stuck')
  await annToBob(c, 'Come down')
  await write(c, 'Hello', 'ann', 'cas')

  expect(await inboxOf(c.asAnn, 'LIFT')).toEqual(['Bob'])
  expect(await inboxOf(c.asAnn, 'ca')).toEqual(['Cas'])
  expect(await inboxOf(c.asAnn, 'warden')).toEqual(['Cas', 'Bob'])
  expect(await inboxOf(c.asAnn, '')).toEqual(['Cas', 'Bob'])
  expect(await inboxOf(c.asAnn, 'nothing of the kind')).toEqual([])
})

test('AMB-126 the inbox of others does not find what two wrote to each other', async ({ server }) => {
  const c = await conversation(server)
  await annToBob(c, 'Between us')

  expect(await inboxOf(c.manager)).toEqual([])
  expect(await inboxOf(c.manager, 'between us')).toEqual([])
})

test('API-60 MSG-29 MSG-30 templates of the kind asked for, newest id first; each kind has its module', async ({
  server,
}) => {
  const c = await conversation(server)
  const of = { clientUid: c.org.clientUid, type: 'Evacuee' }
  const rows = [
    { ...of, code: 'E1', text: 'Are you safe?', automatedResponse: true },
    { ...of, code: 'E2', text: 'Please wait.' },
    { ...of, code: 'E3', text: 'Withdrawn', active: false },
    { ...of, code: 'W1', text: 'Report in.', type: 'Warden' },
  ]
  for (const row of rows) await server.db.insertInto('messageTemplate').values(row).execute()
  const of2 = async (modules: readonly ['Module_My_Messages' | 'Module_Warden_Messaging']) =>
    server.as(await server.given.warden(c.org, { modules }))
  const [people, wardens] = [await of2(['Module_My_Messages']), await of2(['Module_Warden_Messaging'])]

  expect(await c.asAnn(listTemplates, { query: { type: 'Evacuee' } })).toEqual({
    templates: [
      { id: expect.any(Number), text: 'Please wait.', automated_response_message: 0 },
      { id: expect.any(Number), text: 'Are you safe?', automated_response_message: 1 },
      { id: expect.any(Number), text: codedQuestion, automated_response_message: 1 },
    ],
  })
  expect((await c.asAnn(listTemplates, { query: { type: 'Warden' } })).templates).toMatchObject([
    { text: 'Report in.' },
  ])
  const codes = await refused(
    people(listTemplates, { query: { type: 'Warden' } }),
    wardens(listTemplates, { query: { type: 'Evacuee' } }),
    c.asAnn(listTemplates, { query: { type: 'Visitor' as never } }),
  )
  expect(codes).toEqual(['forbidden', 'forbidden', 'invalid_request'])
})

test('AMB-148 T1 lists hold no one in another event or client', async ({ server }) => {
  const [c, other] = [await conversation(server), await conversation(server)]
  await server.runningEvent({ ...c.org, ...(await server.given.site(c.org)), floors: c.org.floors })

  const mine = new Set((await c.asAnn(getMessengerData, {})).messengerList.map(({ id }) => id))

  expect(mine.size).toBe(3)
  for (const { id } of (await other.asAnn(getMessengerData, {})).messengerList) expect(mine).not.toContain(id)
})

test('AMB-143 EVENT-61 a warden who left the event with their building is on no list', async ({ server }) => {
  const c = await conversation(server)
  const lea = await server.given.warden(c.org, { firstName: 'Lea', floorUid: c.org.otherFloorUid })
  const buildings = [c.org.otherBuildingUid]
  await c.manager(createEvent, startInput(c.org, { buildings }))
  const body = { message: 'Report in?', receiverId: lea.assignmentUid, from: c.signIns.ann, to: await c.signInOf(lea) }
  await c.asAnn(sendToWarden, { body })
  expect([await filtered(c), await inboxOf(c.asAnn)]).toEqual([['Bob', 'Cas', 'Chief', 'Lea'], ['Lea']])

  await c.manager(endEvent, endInput(c.org, { buildings }))

  expect([await filtered(c), await inboxOf(c.asAnn)]).toEqual([['Bob', 'Cas', 'Chief'], []])
})

test('API-64 AMB-095 an event manager of a building that is not in the event belongs to each that is', async ({
  server,
}) => {
  const c = await conversation(server)
  const { buildingUid, otherBuildingUid } = c.org
  const over = { role: 'Building Warden', modules: ['Module_Event_Management'], buildingUid: otherBuildingUid } as const
  await server.given.warden(c.org, { firstName: 'Mia', ...over, modules: [...over.modules] })
  await c.manager(createEvent, startInput(c.org, { buildings: [otherBuildingUid] }))
  expect(await filtered(c, { b: buildingUid })).not.toContain('Mia')

  await c.manager(endEvent, endInput(c.org, { buildings: [otherBuildingUid] }))

  expect(await filtered(c, { b: buildingUid })).toContain('Mia')
})

test('AMB-149 without an event the lists are empty, and say why', async ({ server }) => {
  const c = await conversation(server)
  await annToBob(c)
  await c.manager(endEvent, endInput(c.org))

  const why = { error: 'no_event', message: 'No Current Events' }
  expect(await c.asAnn(getMessengerData, {})).toEqual({
    messengerList: [],
    buildings: [],
    roles: [],
    senderWardenSignInUid: null,
    sms_allowed: true,
    ...why,
  })
  expect(await c.asAnn(filterMessenger, { query: { b: 'all', r: 'all', s: 'all' } })).toEqual({
    messengerList: [],
    ...why,
  })
  expect(await c.asAnn(listInbox, { query: {} })).toEqual({ cspdList: [], ...why })
  expect(await c.asAnn(listTemplates, { query: { type: 'Warden' } })).toEqual({ templates: [], ...why })
})
