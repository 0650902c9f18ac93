import { safetyStatuses } from '#kernel/vocabulary.ts'
import type { FinalState, JournalRow } from '../evidence/final-state.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

interface Standing {
  status: string
  onFloor: boolean
  refused: boolean
  /** When the current danger was last observed. */
  observedAt: number | null
  /** When the person was last seen at the current place. Every record of a run names a place. */
  placeSeenAt: number | null
}
const fresh: Standing = { status: 'unknown', onFloor: false, refused: false, observedAt: null, placeSeenAt: null }

/**
 * I7: replaying the journal by the rule gives what the tables hold. The rule: a "safe" or "unknown" older than the
 * danger or the event changes nothing. An older "danger" does not change a newer place.
 */
export function journalLeadsHere({ state }: Evidence): Verdict {
  const inquiry = new Inquiry('I7', 'the journal, replayed by the rule, gives every status and refusal')
  const startedAt = new Map(state.events.map((event) => [event.uid, event.startedAt]))
  const standings = new Map<string, Standing>()
  for (const entry of state.journal.toSorted((a, b) => a.position - b.position)) {
    const name = `${entry.eventUid} ${entry.subjectUid}`
    const before = standings.get(name) ?? fresh
    if (entry.action === 'evacuee_refusal_set') {
      inquiry.check(entry.after?.refused === !before.refused, 'a refusal was noted twice', entry.subjectUid)
      standings.set(name, { ...before, refused: !before.refused })
    }
    if (entry.action !== 'evacuee_status_set') continue
    inquiry.check(
      entry.before?.status === before.status,
      'a journal entry starts from another status than the one before left',
      entry.subjectUid,
    )
    const after = rule(before, entry, startedAt.get(entry.eventUid ?? '') ?? 0)
    const isSuperseded = after === before
    inquiry.check(
      entry.after?.superseded === isSuperseded,
      'a record was ruled otherwise than the rule says',
      entry.subjectUid,
    )
    standings.set(name, after)
  }
  checkTables(inquiry, state, standings)
  return inquiry.verdict
}

function rule(before: Standing, { after, observedAt, recordedAt }: JournalRow, startedAt: number): Standing {
  const status = String(after?.status)
  const isOlder =
    observedAt !== null && before.status === 'danger' && before.observedAt !== null && before.observedAt > observedAt
  if (status !== 'danger' && (isOlder || (observedAt !== null && observedAt < startedAt))) return before
  const again = before.status === 'danger' && status === 'danger' ? (before.observedAt ?? 0) : 0
  const seenAt = observedAt ?? recordedAt
  const stays = isOlder && before.placeSeenAt !== null && before.placeSeenAt > seenAt
  return {
    ...before,
    status,
    onFloor: stays ? before.onFloor : after?.on_floor === true,
    observedAt: Math.max(seenAt, startedAt, again),
    placeSeenAt: stays ? before.placeSeenAt : seenAt,
  }
}

function checkTables(inquiry: Inquiry, { evacuees }: FinalState, standings: Map<string, Standing>): void {
  for (const { eventUid, personUid, status, onFloor, refused, active } of evacuees) {
    if (!active) continue
    const expected = standings.get(`${eventUid} ${personUid}`) ?? fresh
    const is = `${status}, on floor ${onFloor}, refused ${refused}`
    const should = `${expected.status}, on floor ${expected.onFloor}, refused ${expected.refused}`
    inquiry.check(is === should, () => `someone is ${is}, and by the journal ${should}`, personUid)
  }
}

/** I5: each stored count is the number of rows. */
export function countsAreTrue({ state }: Evidence): Verdict {
  const inquiry = new Inquiry('I5', 'every count is what counting gives')
  const active = state.evacuees.filter((row) => row.active)
  const groups = Map.groupBy(active, ({ eventUid, placeUid }) => `${eventUid} ${placeUid}`)
  const kept = new Set(state.tallies.map(({ eventUid, placeUid }) => `${eventUid} ${placeUid}`))
  for (const { eventUid, placeUid, ...tally } of state.tallies) {
    const people = groups.get(`${eventUid} ${placeUid}`) ?? []
    const of = (status: string) => people.filter((row) => row.status === status).length
    const counted = [...safetyStatuses.map(of), people.filter(({ refused }) => refused).length].join('/')
    const is = [...safetyStatuses.map((status) => tally[status]), tally.refusals].join('/')
    const words = [...safetyStatuses, 'refusals'].join('/')
    inquiry.check(is === counted, `a place counts ${is} (${words}) and has ${counted}`, eventUid)
  }
  for (const place of groups.keys()) inquiry.check(kept.has(place), 'a place with people has no count', place)
  return inquiry.verdict
}
