import { expect } from 'vitest'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { FloorUid, InstructionUid } from '#kernel/ids.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import {
  getInstruction,
  listInstructions,
  previewInstruction,
  sendInstruction,
  understand,
} from '../calls/instructions.ts'
import type { ChosenKind } from '../kinds.ts'
import { actorOf, type Commanded, commanded } from './command.fixture.ts'
import { briefInstruction } from './instruction.service.ts'

interface Over {
  kind?: ChosenKind
  message?: string
  floors?: 'all' | FloorUid[]
  text?: 'yes' | 'no'
}
const input = ({ kind = 'stay', message = 'Keep doors closed.', floors = 'all', text = 'no' }: Over = {}) => ({
  body: { kind, message, floors, text },
})
/** The instruction that the phone of this token shows. */
const shownTo = async (server: TestServer, { token }: { token: string }) =>
  briefInstruction(server.db, await actorOf(server, token))
const ageOf = ({ db }: TestServer, uid: InstructionUid, seconds: number) =>
  db
    .updateTable('instruction')
    .set({ at: new Date(Date.now() - seconds * 1000) })
    .where('uid', '=', uid)
    .execute()
const readPage = ({ asDeputy }: Commanded) => asDeputy(listInstructions, {})

/** Wardens on duty: chief and deputy of the site, Sam of Tower A, Flo of Ground, Lou of Level 1. */
async function instructed(server: TestServer, over: Parameters<typeof commanded>[1] = {}) {
  const c = await commanded(server, over, async (org) => ({
    lou: await server.given.warden(org, { firstName: 'Lou', floorUid: org.floors[1] }),
    max: await server.given.warden(org, { firstName: 'Max', floorUid: org.floors[1] }),
  }))
  return { ...c, asLou: await server.onDuty(c.more.lou), ...c.more }
}

test('CMD-21 CMD-22 an instruction for floors means wardens of the floors, of their building and of the site, but not its sender', async ({
  server,
}) => {
  const c = await instructed(server)
  const { floors } = c.org

  const ahead = await c.manager(previewInstruction, { body: { floors: [floors[1]] } })
  const { uid, meant } = await c.manager(
    sendInstruction,
    input({ kind: 'recheck', message: ' Look again. ', floors: [floors[1]] }),
  )

  expect([ahead.wardens, meant]).toEqual([3, 3])
  const shown = { uid, kind: 'recheck', message: 'Look again.', by: expect.stringMatching(/^Chief /) }
  for (const phone of [c.asDeputy, c.asSecond, c.asLou]) expect(await shownTo(server, phone)).toMatchObject(shown)
  for (const phone of [c.asFloor, c.manager]) expect(await shownTo(server, phone)).toBeNull()
  const everybody = await c.manager(previewInstruction, { body: { floors: 'all' } })
  expect(everybody.wardens).toBe(4)
})

test('CMD-20 CMD-21 CMD-27 the page has places and what was sent; ahead of sending one reads what was sent lately and who is not safe', async ({
  server,
}) => {
  const c = await instructed(server)
  const first = await c.manager(sendInstruction, input())
  await ageOf(server, first.uid, 121)
  const second = await c.asDeputy(sendInstruction, input({ kind: 'evacuate', floors: [c.org.floorUid] }))

  const { places, sent } = await readPage(c)
  const ahead = await c.manager(previewInstruction, { body: { floors: 'all' } })

  expect(places.map(({ name, floors }) => [name, floors.map((floor) => floor.name)])).toEqual([
    ['Tower A', ['Ground', 'Level 1', 'Level 2']],
  ])
  expect(sent.map(({ uid, floors }) => [uid, floors])).toEqual([
    [second.uid, [c.org.floorUid]],
    [first.uid, 'all'],
  ])
  expect(ahead.recent.map(({ uid }) => uid)).toEqual([second.uid])
  expect([ahead.danger, ahead.unknown, ahead.contradictions]).toEqual([0, expect.any(Number), 0])
  expect(ahead.unknown).toBeGreaterThan(0)
})

test('CMD-23 a phone shows the newest instruction that means it; who comes on duty later gets the current one', async ({
  server,
}) => {
  const c = await instructed(server)
  const all = await c.manager(sendInstruction, input())
  const floor = await c.manager(sendInstruction, input({ kind: 'evacuate', floors: [c.org.floors[1]] }))

  const asMax = await server.onDuty(c.max)

  expect((await shownTo(server, asMax))?.uid).toBe(floor.uid)
  expect((await shownTo(server, c.asLou))?.uid).toBe(floor.uid)
  expect((await shownTo(server, c.asFloor))?.uid).toBe(all.uid)
  const { sent } = await readPage(c)
  // the older one counts only for Flo
  expect(sent.map(({ understood, meant }) => [understood, meant])).toEqual([
    [0, 4],
    [0, 1],
  ])
})

test('CMD-24 understood counts once, is told to the sender alone, and who has not understood is listed by name', async ({
  server,
}) => {
  const c = await instructed(server)
  const { uid } = await c.manager(sendInstruction, input())
  const params = { uid }

  await Promise.all(Array.from({ length: 6 }, () => c.asLou(understand, { params }, withKey())))
  await c.asLou(understand, { params })

  expect(await shownTo(server, c.asLou)).toBeNull()
  const entries = (await server.journalOf(c.signInUid)).filter(({ action }) => action === 'instruction_understood')
  expect(entries).toMatchObject([
    { subjectType: 'sign_in', actorSignInUid: await c.signInOf(c.lou), after: { instruction_uid: uid } },
  ])
  const { understood, meant, not_yet, next } = await c.asDeputy(getInstruction, { params })
  expect([understood, meant, next]).toEqual([1, 4, null])
  expect(not_yet.map(({ name, areas }) => [name.split(' ')[0], areas])).toEqual([
    ['Dee', [c.org.siteName]],
    ['Flo', ['Tower A - Ground']],
    ['Sam', ['Tower A']],
  ])
  expect(not_yet[1]).toMatchObject({ id: c.floor.assignmentUid, phone: c.floor.mobile, texted: false })
  // anyone who leaves duty is no longer waited for
  await c.asFloor(logout, {})
  expect(await c.asDeputy(getInstruction, { params })).toMatchObject({ understood: 1, meant: 3 })
})

test('CMD-24 the list goes on after its last name', async ({ server }) => {
  const c = await instructed(server)
  const { uid } = await c.manager(sendInstruction, input())

  const after = await c.signInOf(c.floor)
  const { not_yet } = await c.asDeputy(getInstruction, { params: { uid }, query: { after } })

  expect(not_yet.map(({ name }) => name.split(' ')[0])).toEqual(['Lou', 'Sam'])
})

test('CMD-21 one press sends once, and is journaled without its words', async ({ server }) => {
  const c = await instructed(server)
  const key = withKey()
  const press = () =>
    c.manager(sendInstruction, input({ message: 'Stay away from the north stair.', floors: [c.org.floorUid] }), key)

  const [first, again] = [await press(), await press()]

  expect(again).toEqual(first)
  expect((await readPage(c)).sent).toHaveLength(1)
  const entries = (await server.journalOf(c.eventUid)).filter(({ action }) => action === 'instruction_sent')
  expect(entries.map(({ after }) => after)).toEqual([
    { instruction_uid: first.uid, instruction: { kind: 'stay', floors: [c.org.floorUid] } },
  ])
})

test('CMD-25 who has not understood after a minute is texted, once, also if they have not reported in', async ({
  server,
}) => {
  const c = await instructed(server, { kind: 'drill' })
  const { uid } = await c.manager(sendInstruction, input({ floors: [c.org.floors[1]], text: 'yes' }))
  await c.asSecond(understand, { params: { uid } })
  await takeDueSteps(server)
  await sendTexts(server)
  expect(await textsOn(server, c.lou.mobile)).toEqual([])

  await ageOf(server, uid, 61)
  await Promise.all([takeDueSteps(server), takeDueSteps(server), takeDueSteps(server)])
  await sendTexts(server)

  const words = expect.stringMatching(/^DRILL.*Stay\. Keep doors closed\.$/)
  for (const { mobile } of [c.lou, c.max, c.deputy]) expect(await textsOn(server, mobile)).toEqual([words])
  for (const { mobile } of [c.second, c.floor, c.chief]) expect(await textsOn(server, mobile)).toEqual([])
  const { not_yet } = await c.manager(getInstruction, { params: { uid } })
  expect(not_yet.map(({ name, texted }) => [name.split(' ')[0], texted])).toEqual([
    ['Dee', true],
    ['Lou', true],
  ])
})

test('CMD-25 not texted: without the tick, once a newer one replaces it, after a quarter of an hour', async ({
  server,
}) => {
  const c = await instructed(server)
  const sent = [
    await c.manager(sendInstruction, input({ text: 'yes' })),
    await c.manager(sendInstruction, input({ kind: 'evacuate', message: 'Evacuate now.', floors: [c.org.floors[1]] })),
    await c.manager(sendInstruction, input({ kind: 'prepare', floors: [c.org.floorUid], text: 'yes' })),
  ]
  for (const [index, seconds] of [90, 80, 16 * 60].entries())
    await ageOf(server, sent[index]?.uid as InstructionUid, seconds)

  await takeDueSteps(server)
  await sendTexts(server)

  expect(await textsOn(server, c.lou.mobile)).toEqual([])
  expect(await textsOn(server, c.floor.mobile)).toEqual(['Stay. Keep doors closed.'])
})

test('CMD-21 CMD-24 CMD-28 T3 what is not of the event is not found, and nothing else is changed', async ({
  server,
}) => {
  const c = await instructed(server)
  const other = await instructed(server)
  const foreign = await other.manager(sendInstruction, input())
  const own = await c.manager(sendInstruction, input({ floors: [c.org.floors[2]] }))
  const send = (over: Over) => c.manager(sendInstruction, input(over))

  const outcomes = await refused(
    send({ floors: [other.org.floorUid] }),
    send({ floors: [c.org.floorUid, c.org.otherFloorUid] }),
    send({ message: '   ' }),
    send({ message: 'a\u0007b' }),
    send({ message: 'x'.repeat(131) }),
    c.asFloor(sendInstruction, input()),
    c.manager(getInstruction, { params: foreign }),
    c.asLou(understand, { params: foreign }),
    // Lou's floor is not meant
    c.asLou(understand, { params: own }),
  )

  expect(outcomes).toEqual([
    ...['not_found', 'not_found', 'invalid_request', 'invalid_request', 'invalid_request', 'forbidden'],
    ...['not_found', 'not_found', 'not_found'],
  ])
  const floors = await server.db
    .selectFrom('eventFloor')
    .select('updatedByPersonUid')
    .where('eventUid', '=', c.eventUid)
    .execute()
  expect(floors.every(({ updatedByPersonUid }) => updatedByPersonUid === null)).toBe(true)
  const texts = await server.db.selectFrom('sms').select('uid').where('eventUid', '=', c.eventUid).execute()
  expect(texts).toEqual([])
})

test('CMD-22 who has taken a floor is meant by an instruction for it, until they give it back', async ({ server }) => {
  const c = await instructed(server)
  const top = c.org.floors[2]
  const claim = {
    clientUid: c.org.clientUid,
    eventUid: c.eventUid,
    buildingUid: c.org.buildingUid,
    floorUid: top,
    signInUid: await c.signInOf(c.floor),
  }
  await server.db.insertInto('floorClaim').values(claim).execute()

  const { uid } = await c.manager(sendInstruction, input({ floors: [top] }))
  expect((await shownTo(server, c.asFloor))?.uid).toBe(uid)

  await server.db.updateTable('floorClaim').set({ endedAt: new Date(), endReason: 'given_back' }).execute()
  expect(await shownTo(server, c.asFloor)).toBeNull()
})
