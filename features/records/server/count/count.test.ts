import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import type { EventRecord } from '../../calls/record.ts'
import { getRecord } from '../../calls/records.ts'
import { textsBy } from '../../figures.ts'
import { writeRecords } from '../records.fixture.ts'
import { checkLists, checkReplay, checkTexts, checkWords, filesOf } from './random/outputs.fixture.ts'
import { type Played, play } from './random/played.fixture.ts'
import { scripts, shortNames } from './random/script.fixture.ts'
import { drillOf, floorsOf, peopleOf, serviceOf, wardensOf } from './reference/figures.fixture.ts'
import { type Model, modelOf } from './reference/model.fixture.ts'
import { expectedSentences } from './reference/sentences.fixture.ts'

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

/** All that is told of the event against what was done. */
async function compare(server: TestServer, played: Played, { withFiles }: { withFiles: boolean }) {
  const m = modelOf(played.world, played.deeds)
  const chief = await server.as((played.codes.get('w0') as NonNullable<ReturnType<Played['codes']['get']>>).warden)
  const { record } = await chief(getRecord, { params: { eventUid: played.eventUid } })
  if (!record) throw new Error('no record')
  const { told, wanted } = figuresOf(m, record, played)
  expect(told).toEqual(wanted)
  await checkReplay(m, record, played, chief)
  await checkLists(m, played, chief)
  checkTexts(record)
  checkWords(record, played)
  if (withFiles) await filesOf(server, m, played, chief)
}

function figuresOf(m: Model, record: EventRecord, { uids, hasContact, startAt }: Played) {
  const name = shortNames(uids)
  const [people, floors, wardens, service, drill] = [
    peopleOf(m),
    floorsOf(m),
    wardensOf(m),
    serviceOf(m, hasContact),
    drillOf(m),
  ]
  const clock = (second: number) =>
    new Intl.DateTimeFormat('en-AU', {
      timeZone: record.timezone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }).format(new Date(startAt.getTime() + second * 1000))
  const { delivered, failed, withoutReceipt, notSent } = textsBy(record.texts.purposes)
  const texts = { delivered, failed, withoutReceipt, notSent, half: record.texts.delivered_half }
  const wantedPeople = { ...people, refusing: undefined, plans: undefined }
  const never = floors.filter(({ isNever }) => isNever)
  const order = floors.filter(({ clear }) => clear !== null).map(({ clear }) => clear as number)
  return {
    told: {
      from: record.counts_from,
      seconds: record.seconds,
      people: {
        ...record.people,
        curve: undefined,
        left: record.people.left?.map(({ building, after, people: of }) => ({
          building: name(building),
          after,
          people: of,
        })),
        refusing: undefined,
        plans: undefined,
      },
      plans: { end: record.plans.end, last_safe: record.plans.last_safe },
      floors: record.floors.rows
        .map(({ id, order: _, refusals: __, building: ___, building_name, name: of, ...row }) => ({
          id: name(id),
          place: `${building_name} - ${of}`,
          ...row,
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      order: record.floors.rows.flatMap(({ clear }) => clear ?? []),
      counts: [record.floors.total, record.floors.reported, record.floors.clear, record.wardens.never_covered],
      wardens: {
        total: record.wardens.total,
        reported_in: record.wardens.reported_in,
        not_available: record.wardens.not_available,
        half: record.wardens.answered.half,
      },
      drill: record.drill_part,
      help: record.help,
      instructions: record.instructions,
      outages: record.outages,
      late: record.late,
      contact: record.contact && {
        wardens: record.contact.wardens,
        to_the_end: record.contact.to_the_end,
        service: record.contact.service.map(({ from, to }) => ({ from, to: to ?? record.seconds })),
      },
      sentences: record.sentences
        .filter(({ number }) => ![1, 2, 3, 15, 16, 17].includes(number))
        .map(({ number, text }) => [number, text]),
    },
    wanted: {
      from: m.start,
      seconds: m.end,
      people: wantedPeople,
      plans: people.plans,
      floors: floors.map(({ isNever: _, ...row }) => row).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      order: order.toSorted((a, b) => a - b),
      counts: [
        floors.length,
        floors.filter(({ first_clear }) => first_clear !== null).length,
        order.length,
        never.length,
      ],
      wardens,
      drill,
      help: service.help,
      instructions: service.instructions,
      outages: service.outages,
      late: service.late,
      contact: service.contact,
      sentences: expectedSentences({ m, people, floors, wardens, service, drill, texts, clock }),
    },
  }
}
