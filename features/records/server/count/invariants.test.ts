import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getRecord } from '../../calls/records.ts'
import { getReplay } from '../../calls/replay.ts'
import { writeRecords } from '../records.fixture.ts'
import { figuresOf, listsOf } from './random/outputs.fixture.ts'
import { type Played, play } from './random/played.fixture.ts'
import { type Act, pick, type Script, scripts, shortNames } from './random/script.fixture.ts'

/** Pairs of events that differ in one thing. `npm run test:fuzz` plays more, under a seed of its own. */
const runs = Math.min(100, Math.ceil(Number(process.env.RECORD_EVENTS ?? 60) / 10))
const seed = Number(process.env.RECORD_SEED ?? 20_261_114)
const timeout = 3_600_000

/** What the record of an event says, in all that may not depend on the order of arrival. */
async function recordOf(server: TestServer, played: Played) {
  await writeRecords(server)
  const { warden } = played.codes.get('w0') as NonNullable<ReturnType<Played['codes']['get']>>
  const chief = await server.as(warden)
  const params = { params: { eventUid: played.eventUid } }
  const { record } = await chief(getRecord, params)
  if (!record) throw new Error('no record')
  const replay = await chief(getReplay, params)
  const name = shortNames(played.uids)
  return {
    figures: figuresOf(record, played),
    curve: record.people.curve,
    lists: await listsOf(played, chief),
    replay: replay.cells.map(([step, place = -1, safe, unknown, danger, status = -1, warden]) => [
      ...[step, name(replay.places[place]?.id ?? ''), safe, unknown, danger],
      ...[replay.statuses[status]?.name, warden],
    ]),
  }
}

const usual: Omit<Act, 'what'> = { who: 0, whom: 0, where: 0, how: 0, after: 1, ago: null }
const isIn = ({ deeds }: Played, building: string) =>
  deeds.findLast((deed) => 'buildings' in deed && deed.did !== 'change' && deed.buildings.includes(building))?.did !==
  'remove'

test('REC2-15 a building that is taken out in the last second changes no count of its people', {
  timeout,
}, async () => {
  await using server = await startTestServer()
  let compared = 0
  await fc.assert(
    fc.asyncProperty(scripts, fc.nat(2), async ({ plan, acts }, nth) => {
      // who stops being a warden with a building is to be accounted for again: wardens of the site do not
      const wardens = plan.wardens.map((warden) => Object.assign({ ...warden }, { domain: 'Site' as const }))
      const own = { ...plan, wardens, buildings: [...plan.buildings, 2, 1].slice(0, 3), starts: [true, true, true] }
      const script: Script = { plan: own, acts: acts.filter(({ what }) => what !== 'remove'), late: [], rest: 7 }
      const stayed = await play(server, script)
      const taken: Act = { ...usual, what: 'remove', where: nth, after: 6 }
      const left = await play(server, { ...script, acts: [...script.acts, taken], rest: 1 }, stayed.startAt)
      expect([isIn(stayed, `b${nth}`), isIn(left, `b${nth}`)]).toEqual([true, false])

      const [one, other] = [await recordOf(server, stayed), await recordOf(server, left)]
      const countsOf = ({ figures: { people, result, plans }, lists, curve }: typeof one) => {
        const { left: _, ...counts } = people
        return { counts, result, plans, lists, last: curve?.steps.at(-1) }
      }
      expect(countsOf(other)).toEqual(countsOf(one))
      compared += other.figures.people.left?.length ?? 0
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
  expect(compared).toBeGreaterThan(0)
})

/** So many people who have a floor. */
const crowd = Array.from({ length: 8 }, (_, home) => ({ home, isPlanned: false, isVisitor: false }))
/** A status of one of them or of a floor, seen at a time of its own after all else was done. */
const sighting = fc.record({
  what: fc.constantFrom(...(['mark', 'floor'] as const)),
  whom: fc.nat(crowd.length - 1),
  where: fc.nat(20),
  how: fc.nat(20),
})

test('REC2-15 another order of arrival among different people and floors changes sentence 13 alone', {
  timeout,
}, async () => {
  await using server = await startTestServer()
  let isOther = false
  await fc.assert(
    fc.asyncProperty(scripts, fc.array(sighting, { minLength: 3, maxLength: 8 }), async (script, seen) => {
      const plan = { ...script.plan, people: [...crowd, ...script.plan.people].slice(0, 30) }
      const floors = plan.buildings.reduce((all, one) => all + one, 0)
      const about = ({ what, whom, where }: (typeof seen)[number]) =>
        what === 'mark' ? whom : `floor ${where % Math.max(1, floors)}`
      const own = [...new Map(seen.map((one) => [about(one), one])).values()]
      const arriving = (order: readonly number[]): Script => {
        const arrivals = order.map((of, nth): Act => {
          const [one, arrives] = [pick(own, of) as (typeof own)[number], 60 + nth * 10]
          return { ...usual, ...one, after: nth === 0 ? arrives : 10, ago: arrives - (5 + of * 3) }
        })
        return { plan, acts: [...script.acts, ...arrivals], late: [] }
      }
      const order = [...own.keys()]
      const first = await play(server, arriving(order))
      const second = await play(server, arriving(order.toReversed()), first.startAt)

      const withoutArrival = async (played: Played) => {
        const { figures, ...shown } = await recordOf(server, played)
        const { late, floors, sentences, ...rest } = figures
        return {
          ...shown,
          ...rest,
          floors: floors.map(({ clear_recorded: _, ...floor }) => floor),
          sentences: sentences.filter(([number]) => number !== 13),
          late,
        }
      }
      const [{ late: one, ...told }, { late: other, ...toldToo }] = [
        await withoutArrival(first),
        await withoutArrival(second),
      ]
      expect(toldToo).toEqual(told)
      isOther ||= one.longest !== other.longest
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
  // they did arrive in another order
  expect(isOther).toBe(true)
})
