import { isDeepStrictEqual } from 'node:util'
import type { JournalRow } from '../evidence/final-state.ts'
import { isOpen, outcomeOf, type Write } from '../evidence/history.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** The clocks are not read at the same moment. */
const toleranceMs = 1_000

/**
 * I1: every acknowledged write is stored with its answer. A status is in the journal as sent, with the time of
 * observation.
 */
export function acknowledgedIsKept({ history, state }: Evidence): Verdict {
  const inquiry = new Inquiry('I1', 'every acknowledged write is kept, in the table and in the journal')
  const kept = new Map(state.keys.map((row) => [nameOf(row), row]))
  const entries = Map.groupBy(
    state.journal.filter(({ action }) => action === 'evacuee_status_set'),
    nameOfEntry,
  )
  for (const write of history.writes.filter((one) => outcomeOf(one) === 'ok')) {
    const row = kept.get(nameOf(write))
    inquiry.check(row !== undefined, () => `${describe(write)} was acknowledged and is not there`, write.key)
    if (row)
      inquiry.check(
        isDeepStrictEqual(row.reply, write.reply),
        () => `${describe(write)} was answered otherwise than it is kept`,
        write.key,
      )
    if (write.kind !== 'status') continue
    const [entry] = entries.get(nameOf(write)) ?? []
    const isAsSent =
      entry?.subjectUid === write.subject &&
      entry?.after?.status === plain(write.wanted) &&
      entry?.after?.superseded === write.reply?.superseded
    inquiry.check(
      isAsSent,
      () => `${describe(write)} was acknowledged and the journal does not tell of it so`,
      write.key,
    )
    if (entry) inquiry.check(isDatedRightly(entry, write), () => `${describe(write)} is dated wrongly`, write.key)
  }
  return inquiry.verdict
}

/** I2: each write takes effect once, however often it is sent. A rejected write takes no effect. */
export function eachKeyOnce({ history, state }: Evidence): Verdict {
  const inquiry = new Inquiry('I2', 'each key took effect once, and what was refused took none')
  const kept = new Set(state.keys.filter((row) => !isOfLate(row)).map(nameOf))
  const times = new Map<string, number>()
  for (const entry of state.journal)
    if (entry.key && !isLate(entry)) times.set(nameOfEntry(entry), (times.get(nameOfEntry(entry)) ?? 0) + 1)
  for (const write of history.writes) {
    const count = times.get(nameOf(write)) ?? 0
    inquiry.check(count <= 1, () => `${describe(write)} took effect ${count} times`, write.key)
    if (outcomeOf(write) !== 'fail') continue
    inquiry.check(
      count === 0 && !kept.has(nameOf(write)),
      () => `${describe(write)} was refused and took effect`,
      write.key,
    )
  }
  // each accepted write toggles the refusal, so there are as many journal entries as stored keys
  const toggles = history.writes.filter((write) => write.kind === 'refusal' && kept.has(nameOf(write))).length
  const turned = state.journal.filter(({ action }) => action === 'evacuee_refusal_set').length
  inquiry.check(toggles === turned, `${toggles} refusals were noted or taken back, the journal tells of ${turned}`)
  return inquiry.verdict
}

/**
 * I11: what a phone sent after the end of the event and was told to be kept stands in the journal once, as it was sent: as
 * a late record (AAR-22), or as what the server had taken before. No late record is of another time than its event.
 */
export function lateIsKept({ history, state }: Evidence): Verdict {
  const inquiry = new Inquiry('I11', 'what came after the end and was acknowledged is in the journal, once')
  const keys = new Map(state.keys.map((row) => [nameOf(row), row]))
  const entries = Map.groupBy(state.journal.filter(isLate), nameOfEntry)
  for (const write of history.writes.filter(({ isKeptLate }) => isKeptLate)) {
    const [row, own] = [keys.get(nameOf(write)), entries.get(nameOf(write)) ?? []]
    const expected = row && isOfLate(row) ? 1 : 0
    inquiry.check(row !== undefined, () => `${describe(write)} was kept late and is not there`, write.key)
    inquiry.check(
      own.length === expected,
      () => `${describe(write)} was kept late and is in the journal ${own.length} times, not ${expected}`,
      write.key,
    )
    for (const { subjectUid, after } of own) {
      const isAsSent =
        subjectUid === write.subject && (write.kind !== 'status' || after?.status === plain(write.wanted))
      inquiry.check(isAsSent, () => `${describe(write)} was kept late as something else`, write.key)
    }
  }
  const events = new Map(state.events.map((event) => [event.uid, event]))
  for (const { eventUid, key, observedAt, recordedAt } of [...entries.values()].flat()) {
    const { startedAt = 0, endedAt = null } = events.get(eventUid ?? '') ?? {}
    const isOfEvent = endedAt !== null && observedAt !== null && observedAt >= startedAt && observedAt <= endedAt
    inquiry.check(isOfEvent && recordedAt >= endedAt, 'a late record is not of the time of its event', key ?? undefined)
  }
  return inquiry.verdict
}

const isLate = ({ action }: JournalRow) => action === 'late_record'
/** A key whose record was taken after the end. */
const isOfLate = ({ reply }: { reply: Record<string, unknown> | null }) => reply?.status === 'kept'

/** I9: every write has an answer once everything works again. */
export function nothingStaysOpen({ history }: Evidence): Verdict {
  const inquiry = new Inquiry('I9', 'no write stays without an answer')
  // of an event that was over before the first try, the phone sends late records alone
  for (const write of history.writes)
    inquiry.check(
      !isOpen(write) || write.isKeptLate === true,
      () => `${describe(write)} never got an answer`,
      write.key,
    )
  return inquiry.verdict
}

const nameOf = ({ personUid, key }: { personUid: string; key: string }) => `${personUid} ${key}`
const nameOfEntry = ({ actorPersonUid, key }: { actorPersonUid: string | null; key: string | null }) =>
  `${actorPersonUid} ${key}`

const describe = ({ who, kind, wanted }: Write) => `"${kind}${wanted ? ` ${wanted}` : ''}" of ${who}`

/** Not before the observation and not after the recording, whatever the clocks of phones and servers say. */
const isDatedRightly = ({ observedAt, recordedAt }: JournalRow, { seenAt }: Write) =>
  observedAt !== null && observedAt / 1000 >= seenAt - toleranceMs && observedAt <= recordedAt + toleranceMs * 1000

const plain = (wanted: string | null) =>
  wanted === 'in danger' ? 'danger' : wanted === 'safe on floor' ? 'safe' : wanted
