import { expect } from 'vitest'
import { setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import type { EventUid, PersonUid } from '#kernel/ids.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { replayedTally, storedTally } from '#server/testing/replayed-tally.ts'
import { crowdedTest as test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { makeEventLive } from '../calls/events.ts'

const statuses = ['safe', 'in danger', 'unknown', 'safe'] as const

/** A drill of 1,500 people over three floors with twelve wardens on duty and two who may make it live. */
async function crowded(server: TestServer) {
  const org = await server.given.organisation()
  const persons: PersonUid[] = []
  for (const floorUid of org.floors) persons.push(...(await server.given.occupants(org, 500, { floorUid })))
  const given = await Promise.all(
    Array.from({ length: 12 }, () => server.given.warden(org, { role: 'Building Warden' })),
  )
  const { eventUid, manager } = await server.runningEvent(org, { kind: 'drill' })
  const wardens = await Promise.all(given.map((warden) => server.onDuty(warden)))
  const other = await server.onDuty(await server.given.warden(org, { role: 'Chief Warden' }))
  return { org, persons, wardens, eventUid, managers: [manager, other, manager, other] }
}
type Crowded = Awaited<ReturnType<typeof crowded>>
type Call = Crowded['wardens'][number]

const now = () => ({ 'x-observed-at': new Date().toISOString(), 'x-sent-at': new Date().toISOString() })
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

/** Something that a warden does about anyone, anywhere. Returns what stands in the journal of it. */
async function act(call: Call, { org, persons }: Crowded) {
  const [personId, floorId] = [oneOf(persons), oneOf(org.floors)]
  const kind = Math.random()
  if (kind < 0.1) {
    await call(toggleRefusal, { body: { person: personId, floorId } }, { headers: now() })
    return 'evacuee_refusal_set'
  }
  if (kind < 0.2) {
    const floorStatusId = oneOf(org.statusUids.slice(0, 2)) as never
    await call(setFloorStatus, { body: { floorId, floorStatusId } }, { headers: now() })
    return null
  }
  await call(setPersonStatus, { body: { personId, status: oneOf(statuses), floorId } }, { headers: now() })
  return 'evacuee_status_set'
}

async function entriesOf({ db }: TestServer, eventUid: EventUid) {
  const rows = db.selectFrom('journal').selectAll().where('eventUid', '=', eventUid)
  return rows.orderBy('position').execute()
}
type Entry = Awaited<ReturnType<typeof entriesOf>>[number]

/** What a person's entries leave: the last status that counted, and whether refusals are odd. */
function leftBy(entries: readonly Entry[]) {
  const told = entries.map(({ action, after }) => ({ action, ...(after as { status?: string; superseded?: boolean }) }))
  return {
    status: told.findLast(({ action, superseded }) => action === 'evacuee_status_set' && !superseded)?.status,
    refused: told.filter(({ action }) => action === 'evacuee_refusal_set').length % 2 === 1,
  }
}

test('KIND-13, KIND-14, KIND-16: while many wardens record, a drill becomes live once, and no status is lost, wrong or of the drill', async ({
  server,
}) => {
  for (let round = 0; round < 3; round++) {
    const at = await crowded(server)
    const { wardens, managers, persons, eventUid } = at
    const done: (string | null)[] = []
    let isLive = false
    const everybody = [...wardens, ...wardens].map(async (call) => {
      for (let more = 5; more > 0; more -= isLive ? 1 : 0) done.push(await act(call, at))
    })
    await expect.poll(() => done.length).toBeGreaterThan(60)

    const message = 'THIS IS NOT A DRILL. Leave now.'
    const answers = await Promise.all(
      managers.map((call) => call(makeEventLive, { body: { event: eventUid, message } }, withKey())),
    )
    isLive = true
    await Promise.all(everybody)

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['event_live']))
    const entries = await entriesOf(server, eventUid)
    const changes = entries.filter(({ action }) => action === 'drill_made_live')
    expect(changes).toHaveLength(1)
    for (const action of ['evacuee_status_set', 'evacuee_refusal_set'])
      expect(entries.filter((entry) => entry.action === action)).toHaveLength(
        done.filter((one) => one === action).length,
      )
    const live = changes[0] as Entry
    const { countsFrom } = await server.db
      .selectFrom('event')
      .select('countsFrom')
      .where('uid', '=', eventUid)
      .executeTakeFirstOrThrow()
    const ofPerson = Map.groupBy(entries, ({ subjectUid }) => subjectUid)
    const isBefore = ({ position }: Entry) => position < live.position
    const stands = await server.db.selectFrom('evacuee').selectAll().where('eventUid', '=', eventUid).execute()
    const expected = persons.map((personUid) => {
      const own = ofPerson.get(personUid) ?? []
      const since = leftBy(own.filter((entry) => !isBefore(entry)))
      const { status: drillStatus = null } = leftBy(own.filter(isBefore))
      return { personUid, status: since.status ?? 'unknown', refused: since.refused, drillStatus }
    })
    const rowOf = new Map(stands.map((row) => [row.personUid as PersonUid, row]))
    expect(
      persons.map((personUid) => {
        const { status, refused, drillStatus } = rowOf.get(personUid) ?? {}
        return { personUid, status, refused, drillStatus }
      }),
    ).toEqual(expected)
    const seen = entries.filter(({ action }) => action === 'evacuee_status_set')
    const isOfDrill = ({ observedAt }: Entry) => Number(observedAt) < Number(countsFrom)
    const counts = ({ after }: Entry) => !(after as { superseded?: boolean }).superseded
    const isDanger = ({ after }: Entry) => (after as { status?: string }).status === 'danger'
    // what was seen after the change is not set back by it, and no "safe" from before it counts after it
    expect(seen.filter((entry) => isBefore(entry) && !isOfDrill(entry))).toEqual([])
    expect(seen.filter((entry) => !isBefore(entry) && isOfDrill(entry) && counts(entry) && !isDanger(entry))).toEqual(
      [],
    )
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
    expect(await replayedTally(server.db, eventUid)).toEqual(await storedTally(server.db, eventUid))
  }
}, 120_000)

test('KIND-13, KIND-16: a danger that is recorded while the change waits for someone is one of the drill', async ({
  server,
}) => {
  const { wardens, managers, eventUid, org } = await crowded(server)
  const rows = server.db.selectFrom('evacuee').select(['uid', 'personUid']).where('eventUid', '=', eventUid)
  const [first, last] = [await rows.orderBy('uid').limit(1).execute(), await rows.orderBy('uid', 'desc').execute()]
  const held = await server.hold('evacuee', `${first[0]?.uid}`)
  const body = { event: eventUid, message: 'THIS IS NOT A DRILL. Leave now.' }
  const change = managers[0]?.(makeEventLive, { body }, withKey())
  await held.waiting(1)

  const personId = last[0]?.personUid as PersonUid
  await wardens[0]?.(
    setPersonStatus,
    { body: { personId, status: 'in danger', floorId: org.floorUid } },
    { headers: now() },
  )
  await held.release()
  await change

  expect(await server.evacueeOf(eventUid, personId)).toMatchObject({ status: 'unknown', drillStatus: 'danger' })
  const event = server.db.selectFrom('event').select('countsFrom').where('uid', '=', eventUid)
  const { countsFrom } = await event.executeTakeFirstOrThrow()
  const [told] = await server.journalOf(personId)
  expect(told?.observedAt?.getTime()).toBeLessThan(countsFrom?.getTime() ?? Number.NaN)
})
