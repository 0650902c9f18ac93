import { expect } from 'vitest'
import { listAccounted } from '#features/accounting/calls.ts'
import { sendInstruction } from '#features/command/calls/instructions.ts'
import { commanded } from '#features/command/server/command.fixture.ts'
import { offerFloor } from '#features/coverage/calls/coverage.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { askPerson, statusOf } from '#features/messaging/server/messaging.fixture.ts'
import { called, choose, stateOf } from '#features/reach/server/reach.fixture.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { writeRecords } from '#features/records/server/records.fixture.ts'
import { listReports } from '#features/self-report/calls.ts'
import { keepTextReport } from '#features/self-report/server/texts/text-reports.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { asked, byCall, callAfter, linesOf, newNumber, phoneOf, setSecond } from './voice.fixture.ts'

test('LADDER-12 a call says who calls, what is asked and which keys answer, without a link or a name', async ({
  server,
}) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61)
  const phone = phoneOf(server, c.ann.mobile)
  expect(await phone.shown()).toMatchObject({ answered: false, say: '' })

  expect(await phone.answer()).toBe(
    `This is ${c.org.name}. Evacuate now. Press 1 if you are coming. Press 2 if you are not available.`,
  )
})

test('LADDER-12 a call of a drill says that it is one', async ({ server }) => {
  const c = await called(server, byCall('report_in'), { kind: 'drill' })
  await callAfter(server, c, 61)

  expect(await phoneOf(server, c.ann.mobile).answer()).toMatch(/^This is .+\. Drill\. This is an exercise\. Evacuate/)
})

test('LADDER-12 LADDER-13 1 answers a call to report in and changes no attendance, 2 is not available, another key is neither', async ({
  server,
}) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61)
  const [ann, bob] = [phoneOf(server, c.ann.mobile), phoneOf(server, c.bob.mobile)]
  await ann.answer()
  await bob.answer()

  expect(await ann.press('7')).toBe(false)
  expect(await stateOf(server, c.ann)).toMatchObject({ state: 'going' })
  expect(await ann.press('1')).toBe(true)
  expect(await bob.press('2')).toBe(true)

  expect(await server.signInOf(c.eventUid, c.ann)).toMatchObject({ onDuty: false, notAvailable: false })
  expect(await server.signInOf(c.eventUid, c.bob)).toMatchObject({ onDuty: false, notAvailable: true })
  for (const who of [c.ann, c.bob]) expect(await stateOf(server, who)).toMatchObject({ state: 'answered' })
  expect(await linesOf(server, c.ann)).toEqual(['call delivered: 1'])
})

test('LADDER-13 the first of many keys counts, and is recorded once', async ({ server }) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61)
  const phone = phoneOf(server, c.ann.mobile)

  await Promise.all(['1', '1', '1', '1', '1', '1'].map((key) => phone.press(key).catch(() => undefined)))

  const entries = await server.journalOf((await c.signInOf(c.ann)) as string)
  expect(entries.filter(({ action }) => action === 'call_keyed')).toHaveLength(1)
  expect(await linesOf(server, c.ann)).toEqual(['call delivered: 1'])
})

test('LADDER-13 a key on the own number is own word: 2 is danger at once, 1 safe, and the list says by which way', async ({
  server,
}) => {
  for (const [key, status] of [
    ['2', 'danger'],
    ['1', 'safe'],
  ] as const) {
    const c = await asked(server)
    await askPerson(c)
    await callAfter(server, c, 61)
    await phoneOf(server, c.mobile).press(key)

    expect(await statusOf(server, c)).toBe(status)
    expect(await stateOf(server, c.olga)).toMatchObject({ state: 'answered' })
    if (status === 'danger') {
      const { people } = await c.manager(listAccounted, { query: { list: 'danger' } })
      expect(people).toMatchObject([{ name: 'Olga Orr', source: { grade: 'own', own: 'call' } }])
    }
  }
})

test('LADDER-13 from a shared number a key sets no status: 2 is a call for help that names the person', async ({
  server,
}) => {
  const c = await asked(server)
  await server.db.updateTable('person').set({ mobile: c.mobile }).where('uid', '=', c.cas.personUid).execute()
  await askPerson(c)
  await callAfter(server, c, 61)

  await phoneOf(server, c.mobile).press('2')

  expect(await statusOf(server, c)).toBe('unknown')
  const { reports } = await c.manager(listReports, { query: { state: 'open' } })
  expect(reports).toMatchObject([
    { way: 'call', says: 'help', name: 'Olga Orr', mobile: c.mobile, words: 'Pressed 2 in a call: needs help.' },
  ])
})

test('LADDER-13 ANS-07 a key of a number that has texted joins its report, which is then a call for help by telephone, and the timeline says so', async ({
  server,
}) => {
  const c = await asked(server)
  await server.db.updateTable('person').set({ mobile: c.mobile }).where('uid', '=', c.cas.personUid).execute()
  await askPerson(c)
  await callAfter(server, c, 61)
  const shared = { clientUid: c.org.clientUid, eventUid: c.eventUid, mobile: c.mobile, name: null, evacueeUid: null }
  const text = { way: 'text', says: 'words', words: 'Where?', unsure: false, elsewhere: false } as const
  await server.db.transaction().execute((tx) => keepTextReport(tx as Tx, { ...shared, ...text }))

  await phoneOf(server, c.mobile).press('2')

  const { reports } = await c.manager(listReports, { query: { state: 'open' } })
  expect(reports).toMatchObject([{ way: 'call', says: 'help', words: 'Where?\nPressed 2 in a call: needs help.' }])
  await c.manager(endEvent, endInput(c.org), withKey())
  await writeRecords(server)
  const { entries } = await c.manager(listTimeline, { params: { eventUid: c.eventUid }, query: { show: 'all' } })
  expect(entries.flatMap(({ action, what, mark }) => (action === 'self_report_made' ? [[what, mark]] : []))).toEqual([
    ['A text came in', undefined],
    ['A call for help came in by a key pressed in a telephone call', 'help'],
  ])
})

test('LADDER-13 NUM-03 from a second number 1 answers, and 2 is a call for help; neither sets a status', async ({
  server,
}) => {
  for (const key of ['1', '2']) {
    const c = await asked(server)
    const second = newNumber()
    await setSecond(server, c.olga, second)
    await askPerson(c)
    await callAfter(server, c, 61)
    await phoneOf(server, c.mobile).decline()
    await callAfter(server, c, 0)

    await phoneOf(server, second).press(key)
    await callAfter(server, c, 0)

    expect(await linesOf(server, c.olga)).toEqual(['call failed: No answer.', `second_call delivered: ${key}`])
    expect(await statusOf(server, c)).toBe('unknown')
    expect(await stateOf(server, c.olga)).toMatchObject({ state: 'answered' })
    const { reports } = await c.manager(listReports, { query: { state: 'open' } })
    expect(reports.map(({ name }) => name)).toEqual(key === '2' ? ['Olga Orr'] : [])
  }
})

const atOnce = { way: 'call', seconds: 0 } as const

test('LADDER-12 an instruction is understood and a floor taken by key', async ({ server }) => {
  const c = await commanded(server)
  await choose(server, c.org.clientUid, { instruction: [atOnce], offer: [atOnce] })
  const body = { kind: 'stay', message: 'Keep doors closed.', floors: 'all', text: 'yes' } as const
  const { uid } = await c.manager(sendInstruction, { body })
  await callAfter(server, c, 61)
  const [floor, second] = [phoneOf(server, c.floor.mobile), phoneOf(server, c.second.mobile)]
  expect(await floor.answer()).toMatch(/Stay\. Keep doors closed\. Press 1 when you have understood\.$/)
  await floor.press('1')
  await second.decline()

  const of = { clientUid: c.org.clientUid, instructionUid: uid }
  const understood = await server.db
    .selectFrom('instructionAnswer')
    .selectAll()
    .where('instructionUid', '=', of.instructionUid)
    .execute()
  expect(understood.filter(({ understoodAt }) => understoodAt !== null).map(({ signInUid }) => signInUid)).toEqual([
    await c.signInOf(c.floor),
  ])

  const to = await c.signInOf(c.second)
  const { offer } = await c.manager(offerFloor, { body: { floorId: c.org.floors[2], wardenSignInUid: to } }, withKey())
  await callAfter(server, c, 1)
  expect(await second.answer()).toMatch(
    /Can you take Level 2, Tower A\? Press 1 to take Level 2\. Press 2 if you cannot\.$/,
  )
  await second.press('1')
  expect(await server.db.selectFrom('floorOffer').select('answer').where('uid', '=', offer.id).execute()).toEqual([
    { answer: 'yes' },
  ])
})
