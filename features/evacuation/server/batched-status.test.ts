import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { inClients } from '#server/platform/db/db.ts'
import { endInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'
import { setEvacueeStatus } from '../calls/safety.ts'
import { recordAnswer } from './answered-status.queries.ts'

/** Wardens on duty in an event of both towers, with people on the first floor. */
async function inEvent(server: TestServer, { wardens, people }: { wardens: number; people: number }) {
  const org = await server.given.organisation()
  const made = await Promise.all(Array.from({ length: wardens }, () => server.given.warden(org)))
  const persons = await server.given.occupants(org, people)
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  const { eventUid, manager } = await server.runningEvent(org, both)
  const calls = await Promise.all(made.map((warden) => server.onDuty(warden)))
  const callOf = (nth: number) => calls[nth % calls.length] as (typeof calls)[number]
  const record = (nth: number, status: string, floorId: FloorUid = org.floorUid, key = withKey()) =>
    callOf(nth)(setPersonStatus, { body: { personId: persons[nth % people] as PersonUid, status, floorId } }, key)
  const hold = async (nth: number) =>
    server.hold('evacuee', (await server.evacueeOf(eventUid, persons[nth] as PersonUid))?.uid as string)
  return { org, persons, eventUid, manager, callOf, record, hold }
}

/** How many statements were made for how many records. */
async function sharing({ app }: TestServer, kind = 'record_status') {
  const { values } = await app.metrics.batchRecords.get()
  const sum = (end: string) =>
    values
      .filter(({ metricName, labels }) => metricName?.endsWith(end) && labels.kind === kind)
      .reduce((all, { value }) => all + value, 0)
  return { statements: sum('_count'), records: sum('_sum') }
}

test('F35 FLOOR-17 sixty records at once share few statements; each is answered, stored and journaled as if alone', async () => {
  await using server = await startTestServer()
  const { persons, eventUid, record, org } = await inEvent(server, { wardens: 20, people: 60 })
  const words = ['safe', 'danger on floor', 'unknown', 'safe on floor']

  const answers = await Promise.all(persons.map((_, i) => record(i, words[i % 4] as string, org.floors[i % 3])))

  for (const [i, personUid] of persons.entries()) {
    const [status, onFloor] = [(words[i % 4] as string).split(' ')[0], words[i % 4]?.endsWith('floor')]
    const person = { id: personUid, status, on_floor: onFloor }
    expect(answers[i]).toEqual({ status: 'success', person, superseded: false })
    expect(await server.evacueeOf(eventUid, personUid)).toMatchObject({ status, onFloor, floorUid: org.floors[i % 3] })
    expect(await server.journalOf(personUid)).toMatchObject([{ after: { status, floor_uid: org.floors[i % 3] } }])
  }
  const { statements, records } = await sharing(server)
  expect(records).toBe(60)
  expect(statements).toBeLessThan(20)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('F35 F12 sixty records sent again at once share few look-ups; each gets its own first answer, though wardens use equal keys', async () => {
  await using server = await startTestServer()
  const { persons, record } = await inEvent(server, { wardens: 20, people: 60 })
  const keys = [withKey(), withKey(), withKey()]
  const sendAll = (status: string) =>
    Promise.all(persons.map((_, i) => record(i, status, undefined, keys[Math.floor(i / 20)])))

  const answers = await sendAll('safe')
  await Promise.all(persons.map((_, i) => record(i, 'danger')))

  expect(await sendAll('safe')).toEqual(answers)
  const { statements, records } = await sharing(server, 'earlier_reply')
  expect(records).toBe(60)
  expect(statements).toBeLessThan(40)
})

test('F35 F12 one key at once from one session for two people: one is recorded, the other is a conflict', async ({
  server,
}) => {
  const { persons, record, eventUid } = await inEvent(server, { wardens: 1, people: 3 })
  const key = withKey()

  const codes = await refused(
    record(0, 'safe'),
    record(1, 'danger', undefined, key),
    record(2, 'danger', undefined, key),
  )

  expect(codes.toSorted()).toEqual(['answered', 'answered', 'idempotency_conflict'])
  const told = await Promise.all(persons.map((person) => server.journalOf(person)))
  expect(told.map((entries) => entries.length).toSorted()).toEqual([0, 1, 1])
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('F35 F12 a person in two spellings of their uid is one person: every record is in the chain', async ({
  server,
}) => {
  const { persons, callOf, org, eventUid } = await inEvent(server, { wardens: 8, people: 100 })
  const person = persons[0] as PersonUid
  const spelled = (i: number) => (i % 2 ? person.toUpperCase() : person) as PersonUid

  await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const body = { personId: spelled(i), status: 'unknown', floorId: org.floors[i % 3] as FloorUid }
      return callOf(i)(setPersonStatus, { body }, withKey())
    }),
  )

  const told = await server.journalOf(person)
  expect(told).toHaveLength(40)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('F35 a record that the database rejects fails alone; those of its statement are stored once', async ({
  server,
}) => {
  const { persons, record, eventUid, org, hold } = await inEvent(server, { wardens: 12, people: 12 })
  await record(3, 'safe', org.floors[2])
  const wrong = server.db.updateTable('tally').set({ safe: 0 }).where('eventUid', '=', eventUid)
  await wrong.where('placeUid', '=', org.floors[2] as FloorUid).execute()
  const first = await hold(0)
  const busy = record(0, 'safe')
  await first.waiting(1)

  const others = persons.slice(1).map((_, i) => record(i + 1, 'danger'))
  await first.release()
  const codes = await refused(busy, ...others)

  expect(codes).toEqual(persons.map((_, i) => (i === 3 ? 'server_error' : 'answered')))
  const told = await Promise.all(persons.map((person) => server.journalOf(person)))
  expect(told.map((entries) => entries.length)).toEqual(persons.map(() => 1))
  expect(await server.evacueeOf(eventUid, persons[3] as PersonUid)).toMatchObject({ status: 'safe' })
  expect(await server.evacueeOf(eventUid, persons[4] as PersonUid)).toMatchObject({ status: 'danger' })
})

test('F35 I5 F17 records in batches, refusals, answers by text and a removed building at once: counts and chains are right', async ({
  server,
}) => {
  for (let round = 0; round < 4; round++) {
    const { org, persons, eventUid, manager, callOf, record } = await inEvent(server, { wardens: 10, people: 20 })
    const places = [...org.floors, org.otherFloorUid]
    const answer = async (person: PersonUid, status: 'safe' | 'danger') => {
      const evacueeUid = (await server.evacueeOf(eventUid, person))?.uid as string
      const asked = { clientUid: org.clientUid, evacueeUid, status, askedAt: new Date(), messageId: 1 }
      return inClients(server.app.db, [org.clientUid], (tx) => recordAnswer(tx, asked))
    }
    const wanted = Array.from({ length: 100 }, (_, i) =>
      record(i, ['safe', 'in danger', 'unknown'][i % 3] as string, places[i % places.length]),
    )
    const listed = persons.map((evacueeId, i) =>
      callOf(i + 1)(setEvacueeStatus, { body: { evacueeId, status: 'safe' } }),
    )
    const flips = persons.map((person, i) => callOf(i + 3)(toggleRefusal, { body: { person, floorId: org.floorUid } }))
    const answers = persons.map((person, i) => answer(person, i % 2 ? 'safe' : 'danger'))

    const removal = manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
    const codes = await refused(...wanted, ...listed, ...flips, ...answers)

    expect(await removal).toMatchObject({ scope: 'buildings' })
    expect(codes.filter((code) => code !== 'answered' && code !== 'not_found')).toEqual([])
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
    for (const person of persons) {
      const told = await server.journalOf(person)
      const stood = told.filter(({ action, after }) => action === 'evacuee_status_set' && !isSuperseded(after))
      expect(stood.slice(1).map(({ before }) => statusOf(before))).toEqual(
        stood.slice(0, -1).map(({ after }) => statusOf(after)),
      )
      expect((await server.evacueeOf(eventUid, person))?.status).toBe(statusOf(stood.at(-1)?.after))
    }
  }
}, 60_000)

test('F35 a person whose row is locked delays only those who record about them', async ({ server }) => {
  const { record, hold } = await inEvent(server, { wardens: 30, people: 30 })
  const row = await hold(0)
  const stuck = Array.from({ length: 10 }, (_, i) => record(i * 30, 'safe'))
  await row.waiting(1)

  const codes = await refused(...Array.from({ length: 29 }, (_, i) => record(i + 1, 'danger')))

  expect(new Set(codes)).toEqual(new Set(['answered']))
  await row.release()
  await Promise.all(stuck)
})

test('F35 a server that closes answers the records that wait', async () => {
  const server = await startTestServer()
  const { record, hold, persons } = await inEvent(server, { wardens: 5, people: 5 })
  const row = await hold(0)
  const records = Array.from({ length: 5 }, (_, i) => record(i, 'safe'))
  await row.waiting(1)
  let isClosed = false

  const closed = server.app.close().then(() => {
    isClosed = true
  })
  await row.waiting(1)
  expect(isClosed).toBe(false)
  await row.release()
  await closed

  expect(await refused(...records)).toEqual(Array(5).fill('answered'))
  for (const person of persons) expect(await server.journalOf(person)).toHaveLength(1)
  await server[Symbol.asyncDispose]()
})

const statusOf = (value: unknown) => (value as { status: string }).status
const isSuperseded = (value: unknown) => (value as { superseded: boolean }).superseded
