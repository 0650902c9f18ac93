import { actions } from '#features/live-updates/actions.ts'
import type { JournalRow } from '../evidence/final-state.ts'
import type { Listening } from '../evidence/history.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** Behind by more publications than this, a phone may be told to fetch everything again (HUB-06). */
const longestRecovery = 500

/**
 * I8: each phone hears the publications of the journal in order and without a gap, and the last lists match the tables.
 */
export function nothingIsMissed({ history, state, lastLists }: Evidence): Verdict {
  const inquiry = new Inquiry('I8', 'publications come in order and without a gap, and the last lists are the tables')
  const told = Map.groupBy(state.journal.filter(isPublished), ({ eventUid }) => `event:${eventUid}`)
  for (const listening of history.listenings.filter(({ channel }) => channel.startsWith('event:')))
    checkListening(inquiry, listening, told.get(listening.channel) ?? [])
  for (const { who, channel, lastSeen, resumedAt, epochChanged } of history.gaps) {
    const between = (told.get(channel) ?? []).filter(({ xid }) => xid > lastSeen && xid <= resumedAt)
    const missed = new Set(between.map(({ xid }) => xid)).size
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

function checkListening(inquiry: Inquiry, listening: Listening, entries: readonly JournalRow[]): void {
  const { who, channel, from, since, offsets, named, isComplete } = listening
  const isRising = offsets.every((offset, at) => offset > (offsets[at - 1] ?? from))
  inquiry.check(isRising, `${who} heard publications out of order`, eventOf(channel))
  const last = isComplete ? Number.POSITIVE_INFINITY : (offsets.at(-1) ?? from)
  /** A publication may tell of several transactions. Then its offset is the last of them. */
  const isTold = (xid: number, subjects: readonly string[]) => {
    const first = offsets.find((offset) => offset >= xid)
    const names = first === undefined ? undefined : named.get(first)
    return first === xid || names === 'any' || (names !== undefined && subjects.every((uid) => names.has(uid)))
  }
  // a change recorded after the subscription is due even if its offset is not higher than the offset at the
  // subscription
  const due = entries.filter(({ xid, recordedAt }) => (xid > from || recordedAt > since * 1000) && xid <= last)
  for (const [xid, told] of Map.groupBy(due, (entry) => entry.xid)) {
    const subjects = told.map(({ subjectUid }) => subjectUid)
    inquiry.check(isTold(xid, subjects), `${who} missed publication ${xid}`, eventOf(channel))
  }
  const known = new Set(entries.map(({ xid }) => xid))
  for (const offset of offsets)
    inquiry.check(known.has(offset), `${who} heard ${offset}, which the journal does not know`, eventOf(channel))
}

/** The channel of its event hears of it. */
const isPublished = ({ eventUid, action }: JournalRow) => eventUid !== null && Boolean(actions.get(action)?.topics)
