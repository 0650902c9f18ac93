import type { Db } from '#server/platform/db/db.ts'
import { unattended } from '#server/platform/db/journal.ts'
import type { EventRecord } from '../../calls/record.ts'
import { keepAddition } from '../additions.service.ts'
import { writeRecord } from '../figures.service.ts'
import { countOpenActions, listEarlier } from '../record-work.queries.ts'
import * as queries from './recount.queries.ts'

/**
 * Counts the records of older versions again, one after the other, the latest first. What they say stays: where a number differs,
 * an addition says so. Any number of workers may run at once. A record that cannot be counted stops the run until the next one.
 */
export async function recountOld(
  system: Db,
  onTrouble: (error: unknown) => void,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) if (!(await recountOne(system).catch(trouble(onTrouble)))) return
}

const trouble = (onTrouble: (error: unknown) => void) => (error: unknown) => {
  onTrouble(error)
  return false
}

/** False: there is none. */
const recountOne = (system: Db): Promise<boolean> =>
  system.transaction().execute(async (tx) => {
    const old = await queries.lockOld(tx)
    if (!old) return false
    const { number, record: before } = old
    const around = {
      actionsBefore: await countOpenActions(tx, old),
      earlier: await listEarlier(tx, old),
      isEarly: false,
    }
    const { record: now } = await writeRecord(tx, old, { number, shift: before.shift, ...around })
    if (!differs(before, now)) {
      await queries.noteRecounted(tx, old, null)
      return true
    }
    const day = new Intl.DateTimeFormat('en-AU', {
      timeZone: old.timezone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    })
    const sentences = now.sentences.filter(({ number: nth }) => !ofEvent.has(nth)).map(({ text }) => text)
    const text = `Counted again on ${day.format(await queries.readNow(tx))} by the rules of version 2: ${sentences.join(' ')}`
    const by = {
      clientUid: old.clientUid,
      personUid: null,
      product: 'Evac',
      journal: unattended(old.clientUid),
    } as const
    await keepAddition(tx, by, old.eventUid, { kind: 'recount', body: { text } })
    await queries.noteRecounted(tx, old, withoutPersons(now))
    return true
  })

/** Sentences that say what and when it was, and those that name readers. */
const ofEvent = new Set([1, 2, 3, 17])

/** The numbers that both versions have. Seconds are whole. */
const numbersOf = ({ result, people, floors, wardens, plans, late }: EventRecord) => {
  const whole = (seconds: number | null) => (seconds === null ? null : Math.floor(seconds))
  return [
    ...[result, people.end, people.refusals, whole(people.everyone_after)],
    ...[floors.total, floors.clear, wardens.total, wardens.reported_in, wardens.not_available, wardens.never_covered],
    ...[whole(wardens.answered.half), plans.end, whole(plans.last_safe), late.records, whole(late.longest)],
    floors.rows
      .map((row) => [row.id, whole(row.first_clear), whole(row.clear), row.reopened, row.people, row.unseen_when_clear])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  ]
}

const differs = (before: EventRecord, now: EventRecord): boolean =>
  canonical(numbersOf(before)) !== canonical(numbersOf(now))

/** Alike for equal values, whatever the order of their keys: that of a stored record is another. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )

/** What lists, trends and comparisons need: no persons, so that it may stay when they go. */
const withoutPersons = (record: EventRecord): Omit<EventRecord, 'sentences'> => {
  const { opened: _, ...plans } = record.plans
  return {
    ...record,
    started_by: null,
    ended_by: null,
    live_by: null,
    message: '',
    decisions: [],
    contact: null,
    compared: null,
    wardens: { ...record.wardens, taken: [] },
    plans: { ...plans, people: [] },
  }
}
