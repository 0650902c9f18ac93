import type { JournalRow } from '../final-state.ts'
import type { Listening } from '../history.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** What the journal can tell of on an event's channel (docs/realtime.md); other entries concern one warden, or no screen. */
const published = new Set([
  'event_ended',
  'buildings_added',
  'buildings_removed',
  'texts_sent',
  'warden_reported_in',
  'warden_not_available',
  'warden_rejoined',
  'warden_off_duty',
  'warden_removed',
  'evacuee_status_set',
  'evacuee_refusal_set',
  'floor_status_set',
])
/** So many publications behind, and the hub may say that it cannot catch up (HUB-06). */
const longestRecovery = 500

/** I8: what a phone heard of an event is what the journal tells, in order and without a gap; and the last lists are true. */
export function nothingIsMissed({ history, state, lastLists }: Evidence): Verdict {
  const inquiry = new Inquiry('I8', 'publications come in order and without a gap, and the last lists are the tables')
  const offsets = new Map(
    [...Map.groupBy(state.journal.filter(isPublished), ({ eventUid }) => `event:${eventUid}`)].map(
      ([channel, entries]) => [channel, [...new Set(entries.map(({ xid }) => xid))].sort((a, b) => a - b)],
    ),
  )
  for (const listening of history.listenings.filter(({ channel }) => channel.startsWith('event:')))
    checkListening(inquiry, listening, offsets.get(listening.channel) ?? [])
  for (const { who, channel, lastSeen, resumedAt, epochChanged } of history.gaps) {
    const missed = (offsets.get(channel) ?? []).filter((offset) => offset > lastSeen && offset <= resumedAt).length
    const mayBe = epochChanged || missed > longestRecovery
    inquiry.check(mayBe, `${who} was told of a gap of ${missed} publications for no reason`, eventOf(channel))
  }
  for (const [organisation, { eventUid, status }] of Object.entries(lastLists))
    for (const row of state.evacuees.filter((one) => one.eventUid === eventUid && one.active)) {
      const shown = status.get(row.personUid)
      inquiry.check(
        shown === undefined || shown === row.status,
        `a list of ${organisation} shows ${shown}, the table holds ${row.status}`,
        row.personUid,
      )
    }
  return inquiry.verdict
}

const eventOf = (channel: string) => channel.replace('event:', '')

function checkListening(inquiry: Inquiry, { who, channel, from, offsets, isComplete }: Listening, all: number[]): void {
  const isRising = offsets.every((offset, at) => offset > (offsets[at - 1] ?? from))
  inquiry.check(isRising, `${who} heard publications out of order`, eventOf(channel))
  const last = isComplete ? Number.POSITIVE_INFINITY : (offsets.at(-1) ?? from)
  const heard = new Set(offsets)
  for (const offset of all) {
    if (offset <= from || offset > last) continue
    inquiry.check(heard.has(offset), `${who} missed publication ${offset}`, eventOf(channel))
  }
  const told = new Set(all)
  for (const offset of offsets)
    inquiry.check(told.has(offset), `${who} heard ${offset}, which the journal does not know`, eventOf(channel))
}

const isPublished = ({ eventUid, action }: JournalRow) => eventUid !== null && published.has(action)
