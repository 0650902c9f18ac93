import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import { asFile, exported } from '#features/exports/server/exports.fixture.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { unzip } from '#server/testing/unzip.ts'
import type { EventRecord } from '../../../calls/record.ts'
import { getRecord, listNames } from '../../../calls/records.ts'
import { getReplay } from '../../../calls/replay.ts'
import { textsBy } from '../../../figures.ts'
import { floorsOf, peopleOf } from '../reference/figures.fixture.ts'
import type { Model } from '../reference/model.fixture.ts'
import type { Played } from './played.fixture.ts'
import { shortNames } from './script.fixture.ts'

type Call = Awaited<ReturnType<TestServer['as']>>
const states = ['safe', 'unknown', 'danger']

/** What a record says, with short names. What the files of the record have of people is compared there. */
export function figuresOf(record: EventRecord, { uids }: Pick<Played, 'uids'>) {
  const name = shortNames(uids)
  const { delivered, failed, withoutReceipt, notSent } = textsBy(record.texts.purposes)
  const { curve: _, ...people } = record.people
  return {
    from: record.counts_from,
    seconds: record.seconds,
    result: record.result,
    people: {
      ...people,
      left: people.left?.map(({ building, after, people: of }) => ({ building: name(building), after, people: of })),
    },
    plans: { end: record.plans.end, last_safe: record.plans.last_safe },
    floors: record.floors.rows
      .map(({ id, order: _, refusals: __, building: ___, building_name, name: of, ...row }) => ({
        id: name(id),
        place: `${building_name} - ${of}`,
        ...row,
      }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    order: record.floors.rows.flatMap(({ clear, order }) => (clear === null ? [] : [[order, clear]])),
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
    texts: { delivered, failed, withoutReceipt, notSent, half: record.texts.delivered_half },
    sentences: record.sentences
      .filter(({ number }) => ![1, 2, 3, 15, 16, 17].includes(number))
      .map(({ number, text }) => [number, text]),
  }
}

/** Each cell at each step, and the curve, which is the sum of the cells. */
export async function checkReplay(m: Model, record: EventRecord, { eventUid, uids }: Played, chief: Call) {
  const replay = await chief(getReplay, { params: { eventUid } })
  const name = shortNames(uids)
  const told = new Map<number, number[]>()
  const curve = record.people.curve?.steps ?? []
  const at = (step: number) => (step === replay.steps - 1 ? m.end : (step + 1) * replay.stepSeconds - 1e-6)
  const covers = new Map(m.floors.map(({ id }) => [id, m.covers(id)]))
  for (let step = 0; step < replay.steps; step++) {
    for (const [of = 0, nth = 0, ...cell] of replay.cells) if (of === step) told.set(nth, cell)
    const stood = m.people.map((id) => m.personAt(id, at(step))).filter(({ status }) => status !== null)
    const sum = [0, 0, 0]
    for (const [nth, place] of replay.places.entries()) {
      const [id, building] = [name(place.id), name(place.building)]
      const there = stood.filter((one) => one.place === id)
      const counts = states.map((status) => there.filter((one) => one.status === status).length)
      for (const [column, count] of counts.entries()) sum[column] = (sum[column] ?? 0) + count
      const isIn = m.presence(building).some(({ from, to }) => from <= at(step) && at(step) < to)
      const status = m.floorStood(id).findLast((one) => one.at <= at(step))?.status
      const shown = isIn && place.name !== null ? m.nameOf(status) : null
      // who leaves when it ends was there to the end
      const isCovered = (covers.get(id) ?? []).some(
        ({ from, to }) => from <= at(step) && (at(step) < to || to >= m.end),
      )
      const [safe, unknown, danger, nthStatus = -1, warden] = told.get(nth) ?? []
      const cell = [safe, unknown, danger, replay.statuses[nthStatus]?.name ?? null, warden]
      expect([step, id, ...cell]).toEqual([step, id, ...counts, shown, isCovered ? 1 : 0])
    }
    expect([step, curve[step]]).toEqual([step, sum])
    expect(sum.reduce((all, one) => all + one, 0)).toBe(stood.length)
  }
  expect(curve).toHaveLength(replay.steps)
  const { safe, unknown, danger } = record.people.end
  expect(curve.at(-1)).toEqual([safe, unknown, danger])
}

/** The lists of names have exactly those who are counted. */
export async function checkLists(m: Model, { eventUid, uids }: Played, chief: Call) {
  const wanted = {
    unaccounted: m.counted.filter((id) => m.personAt(id, m.end).status === 'unknown'),
    danger: m.counted.filter((id) => m.personAt(id, m.end).status === 'danger'),
    refused: peopleOf(m).refusing,
  }
  expect(await listsOf({ eventUid, uids }, chief)).toEqual(
    Object.fromEntries(Object.entries(wanted).map(([list, people]) => [list, people.toSorted()])),
  )
}

/** Who is on each list of names, by short names. */
export async function listsOf({ eventUid, uids }: Pick<Played, 'eventUid' | 'uids'>, chief: Call) {
  const name = shortNames(uids)
  const namesOn = async (list: 'unaccounted' | 'danger' | 'refused') => {
    const found: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const body: { list: typeof list; after?: string } = { list, ...(after && { after }) }
      const page = await chief(listNames, { params: { eventUid }, body }, withKey())
      found.push(...page.people.map(({ person }) => name(person)))
      after = page.next
    }
    return found.toSorted()
  }
  return {
    unaccounted: await namesOn('unaccounted'),
    danger: await namesOn('danger'),
    refused: await namesOn('refused'),
  }
}

/** What became of the texts of the part, by their rows. */
export async function textsOf(server: TestServer, m: Model, { eventUid, startAt }: Played) {
  const rows = await server.db
    .selectFrom('sms')
    .select(['status', 'createdAt', 'changedAt'])
    .where('eventUid', '=', eventUid)
    .where('kind', '<>', 'plan')
    .execute()
  const written = rows.filter(({ createdAt }) => createdAt.getTime() >= startAt.getTime() + m.start * 1000)
  const count = (...states: string[]) => written.filter(({ status }) => states.includes(status)).length
  const times = written
    .map(({ status, createdAt, changedAt }) =>
      status === 'delivered' ? (changedAt.getTime() - createdAt.getTime()) / 1000 : Number.POSITIVE_INFINITY,
    )
    .toSorted((a, b) => a - b)
  const half = times[Math.ceil(times.length / 2) - 1] ?? Number.POSITIVE_INFINITY
  return {
    delivered: count('delivered'),
    failed: count('failed', 'expired'),
    withoutReceipt: count('handed_over', 'unconfirmed'),
    notSent: count('queued', 'skipped'),
    half: Number.isFinite(half) ? half : null,
  }
}

/** Each text is in one of four, of each purpose and in the sum. */
export function checkTexts({ texts: { purposes } }: EventRecord) {
  for (const of of [purposes, ...purposes.map((one) => [one])]) {
    const { written, ...four } = textsBy(of)
    expect(Object.values(four).reduce((all, one) => all + one, 0)).toBe(written)
    expect(Math.min(...Object.values(four))).toBeGreaterThanOrEqual(0)
  }
}

/** No sentence names a person, but for those that say who started, ended or read. */
export function checkWords({ sentences, floors }: EventRecord, { world }: Played) {
  for (const { number, text } of sentences)
    if (number !== 2 && number !== 17)
      for (const { name } of world.wardens) expect(text).not.toContain(name.split(' ')[0])
  expect(floors.clear).toBeLessThanOrEqual(floors.reported ?? 0)
  expect(floors.reported).toBeLessThanOrEqual(floors.total)
}

/** The lines of the spreadsheets, and the sentences in the text of the PDF where its tool is there. */
export async function filesOf(server: TestServer, m: Model, { eventUid, startAt }: Played, chief: Call) {
  const { file } = await exported(server, chief, eventUid, 'csv', 'all')
  const files = await unzip(file)
  const rowsOf = (path: string) =>
    `${files[path]}`
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','))
  const people = m.counted.map((id) => m.personAt(id, m.end))
  expect(
    rowsOf('people.csv')
      .map((row) => row[3])
      .toSorted(),
  ).toEqual(people.map(({ status }) => status).toSorted())
  const second = (time: string | undefined) => (time ? (Date.parse(time) - startAt.getTime()) / 1000 : null)
  const floors = rowsOf('floors.csv').map((row) => [
    `${row[0]} - ${row[1]}`,
    second(row[3]),
    second(row[4]),
    row[5],
    row[7],
    row[8],
    row[9],
  ])
  const whole = (at: number | null) => (at === null ? null : Math.floor(at))
  const wanted = floorsOf(m).map((row) => [
    ...[row.place, whole(row.first_clear), whole(row.clear), `${row.reopened}`],
    ...[`${row.people.safe}`, `${row.people.unknown}`, `${row.people.danger}`],
  ])
  expect(floors.toSorted()).toEqual(wanted.toSorted())
  await checkPdf(server, eventUid, chief)
}

async function checkPdf(server: TestServer, eventUid: Played['eventUid'], chief: Call) {
  const { record } = await chief(getRecord, { params: { eventUid } })
  const text = await textOfPdf(server, eventUid, chief)
  if (text === null) return
  for (const sentence of record?.sentences ?? []) expect(text).toContain(inPdf(sentence.text))
}

/** Without spaces and hyphens: a line that ends with a hyphen loses it. */
export const inPdf = (text: string) => text.replaceAll(/[\s-]+/g, '')

/** What the PDF says to a reader of all names. Null: the tool that reads it is not there. */
export async function textOfPdf(server: TestServer, eventUid: Played['eventUid'], chief: Call): Promise<string | null> {
  const { file } = await exported(server, chief, eventUid, 'pdf', 'all')
  using pdf = asFile(file, 'record.pdf')
  const isThere = (() => {
    try {
      execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })()
  return isThere ? inPdf(execFileSync('pdftotext', [pdf.path, '-'], { encoding: 'utf8' })) : null
}
