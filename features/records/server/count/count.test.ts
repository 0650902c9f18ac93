import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getRecord } from '../../calls/records.ts'
import { writeRecords } from '../records.fixture.ts'
import { mutants } from './mutants.fixture.ts'
import {
  checkLists,
  checkReplay,
  checkTexts,
  checkWords,
  figuresOf,
  filesOf,
  textsOf,
} from './random/outputs.fixture.ts'
import { type Played, play } from './random/played.fixture.ts'
import { scripts } from './random/script.fixture.ts'
import { drillOf, floorsOf, peopleOf, serviceOf, wardensOf } from './reference/figures.fixture.ts'
import { type Model, modelOf } from './reference/model.fixture.ts'
import { expectedSentences } from './reference/sentences.fixture.ts'
import { wordsOf } from './reference/words.fixture.ts'

/** `npm run test:fuzz` plays more, under a seed of its own. */
const runs = Number(process.env.RECORD_EVENTS ?? 60)
const seed = Number(process.env.RECORD_SEED ?? 20_261_114)
/** Each server plays so many: the jobs look through all events of its database. */
const eventsOfServer = 200
const parts = Array.from({ length: Math.ceil(runs / eventsOfServer) }, (_, nth) => ({
  seed: seed + nth,
  events: Math.min(eventsOfServer, runs - nth * eventsOfServer),
}))
/** So many events have their files made, which takes a process each. */
const filesEvery = 20

test.for(parts)(
  'REC2-12 REC2-13 REC2-14 REC2-15 the records of $events random events count as the reference does, in all that they are shown in: seed $seed',
  { timeout: 3_600_000 },
  async ({ seed, events }) => {
    await using server = await startTestServer()
    let nth = 0
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const played = await play(server, script)
        await writeRecords(server)
        await compare(server, played, { withFiles: nth++ % filesEvery === filesEvery - 1 })
      }),
      { numRuns: events, seed, endOnFailure: true },
    )
  },
)

test('REC2-15 each break of `npm run test:mutants` still finds what it breaks', () => {
  const lost = mutants.filter(({ file, from }) => !readFileSync(file, 'utf8').includes(from))
  expect(lost).toEqual([])
})

/** All that is told of the event against what was done. */
async function compare(server: TestServer, played: Played, { withFiles }: { withFiles: boolean }) {
  const m = modelOf(played.world, played.deeds)
  const chief = await server.as((played.codes.get('w0') as NonNullable<ReturnType<Played['codes']['get']>>).warden)
  const { record, arrived_late } = await chief(getRecord, { params: { eventUid: played.eventUid } })
  if (!record) throw new Error('no record')
  expect(figuresOf(record, played)).toEqual(wantedOf(m, await textsOf(server, m, played), record.timezone, played))
  expect(arrived_late).toBe(played.deeds.filter(({ did }) => did === 'late').length)
  await checkReplay(m, record, played, chief)
  await checkLists(m, played, chief)
  checkTexts(record)
  checkWords(record, played)
  if (withFiles) await filesOf(server, m, played, chief)
}

/** What it should say of what was done. */
function wantedOf(
  m: Model,
  texts: Awaited<ReturnType<typeof textsOf>>,
  timeZone: string,
  { hasContact, startAt }: Played,
) {
  const [people, floors, wardens, service, drill] = [
    peopleOf(m),
    floorsOf(m),
    wardensOf(m),
    serviceOf(m, hasContact),
    drillOf(m),
  ]
  const hours = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const time = new Intl.DateTimeFormat('en-AU', { timeZone, ...hours })
  const clock = (second: number) => time.format(new Date(startAt.getTime() + second * 1000))
  const { refusing: _, plans, result, ...counted } = people
  const { voice } = wordsOf(m)
  const never = floors.filter(({ isNever }) => isNever)
  const order = floors.flatMap(({ clear }) => clear ?? []).toSorted((a, b) => a - b)
  return {
    from: m.start,
    seconds: m.end,
    result: voice === 'leave' ? result : { word: result.word, people: result.people, voice },
    people: counted,
    plans,
    floors: floors.map(({ isNever: _, ...row }) => row).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    order: order.map((at, nth) => [nth + 1, at]),
    counts: [
      floors.length,
      floors.filter(({ first_clear }) => first_clear !== null).length,
      order.length,
      never.length,
    ],
    wardens,
    drill,
    ...service,
    texts,
    sentences: expectedSentences({ m, people, floors, wardens, service, drill, texts, clock }),
  }
}
