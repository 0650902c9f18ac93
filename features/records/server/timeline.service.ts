import { newestHead } from '#features/log/server/heads.service.ts'
import { compareRows, listMissingEntries } from '#features/log/server/shown-rows.queries.ts'
import { notAsLogged } from '#features/log/words.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { listTimeline, TimelineEntry } from '../calls/records.ts'
import { noteNamesSeen, type Reach, reachOf, requireRecord } from './record-access.service.ts'
import {
  entriesOfPage,
  hasSeenLately,
  listTimelineRows,
  type TimelineKey,
  type TimelineRow,
} from './timeline.queries.ts'
import { whatOf } from './timeline-lines.ts'
import { markOf } from './timeline-marks.ts'
import { readThen, type Then, toldThen } from './words-of-then.ts'

/** Records that took longer are late. */
const lateSeconds = 30
/** Entries of an export read at one time. */
const exportedAtOnce = 1_000

/** Who reads names in it is journaled once an hour. */
export async function presentTimeline(
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  { after, ...query }: CallInput<typeof listTimeline>['query'],
): Promise<CallAnswer<typeof listTimeline>> {
  const reach = await reachOf(tx, reader)
  const { state, isWhole } = await requireRecord(tx, reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  const key = after === undefined ? null : readKey(after)
  const rows = await listTimelineRows(tx, reach, { eventUid, isWhole, ...query, after: key, most: entriesOfPage })
  if (rows.length > 0 && !(await hasSeenLately(tx, reader, eventUid)))
    await noteNamesSeen(tx, reader, eventUid, { list: 'timeline' })
  const page = rows.slice(0, entriesOfPage)
  const last = page.at(-1)
  const isMore = rows.length > page.length
  const of = { clientUid: reach.clientUid, eventUid }
  const { shown, leftOut } = await sealedOnly(tx, of, page)
  const then = await readThen(tx, of, shown)
  const entries = shown.map((row) => present(row, isWhole, then))
  const isEverything = isWhole && query.show === 'all' && !(query.person || query.floor || query.action || query.late)
  return {
    entries: isEverything ? await withMissing(tx, of, entries, { key, isMore }) : entries,
    next: isMore && last ? keyOf(last) : null,
    left_out: leftOut,
  }
}

type SealedRow = TimelineRow & { n: number; isAsLogged: boolean }

/** Rows that the log has, each compared with it. `leftOut`: those that it never had. What is not sealed yet comes later. */
async function sealedOnly(
  tx: Tx,
  of: LogOf,
  rows: readonly TimelineRow[],
): Promise<{ shown: SealedRow[]; leftOut: number }> {
  const compared = await compareRows(tx, of, rows)
  const found = rows.map((row) => ({ row, at: compared.get(row.position) }))
  return {
    shown: found.flatMap(({ row, at }) => (at?.n == null ? [] : [{ ...row, n: at.n, isAsLogged: at.isAsLogged }])),
    leftOut: found.filter(({ at }) => at?.n == null && at?.isBehind).length,
  }
}

/** 'Entry 12 is missing.' in the place of each that is gone, between the entries of this page and before them. */
async function withMissing(
  tx: Tx,
  of: LogOf,
  entries: TimelineEntry[],
  { key, isMore }: { key: TimelineKey | null; isMore: boolean },
): Promise<TimelineEntry[]> {
  const numbers = entries.flatMap(({ n }) => n ?? [])
  const before = key && (await compareRows(tx, of, [key])).get(key.position)?.n
  const to = isMore ? Math.max(0, ...numbers) : ((await newestHead(tx, of))?.size ?? 0)
  const missing = await listMissingEntries(tx, of, (before ?? 0) + 1, to)
  const shown = missing.map((n): TimelineEntry => {
    const at = entries.findLast((entry) => (entry.n ?? 0) < n) ?? entries[0]
    return {
      id: `missing.${n}`,
      action: 'missing',
      what: `Entry ${n} is missing.`,
      who: null,
      role: null,
      recorded_at: at?.recorded_at ?? new Date(0).toISOString(),
      seen_at: null,
      phone: null,
      late: null,
      overruled: false,
      n,
      mark: 'missing',
    }
  })
  return shown.length === 0 ? entries : [...entries, ...shown].sort((a, b) => (a.n ?? 0) - (b.n ?? 0))
}

/** The whole timeline of the reach, from its beginning. */
export async function* readTimeline(
  tx: Tx,
  reach: Reach,
  { eventUid, isWhole, show }: { eventUid: EventUid; isWhole: boolean; show: 'moments' | 'all' },
): AsyncGenerator<TimelineEntry> {
  const of = { clientUid: reach.clientUid, eventUid }
  const then = await readThen(tx, of, 'all')
  for (let after: TimelineKey | null = null; ; ) {
    const rows: TimelineRow[] = await listTimelineRows(tx, reach, {
      eventUid,
      isWhole,
      show,
      after,
      most: exportedAtOnce,
    })
    const { shown } = await sealedOnly(tx, of, rows.slice(0, exportedAtOnce))
    for (const row of shown) yield present(row, isWhole, then)
    const last = rows[exportedAtOnce - 1]
    if (rows.length <= exportedAtOnce || !last) return
    after = last
  }
}

interface LogOf {
  clientUid: ClientUid
  eventUid: EventUid
}

const keyOf = ({ xid, position }: TimelineKey) => `${xid}.${position}`

function readKey(key: string): TimelineKey {
  const found = /^(\d{1,18})\.(\d{1,18})$/.exec(key)
  if (!found) throw new Refusal('invalid_request', undefined, ['query/after'])
  return { xid: found[1] as string, position: found[2] as string }
}

function present(sealed: SealedRow, isWhole: boolean, then: Then): TimelineEntry {
  const row = toldThen(sealed, then)
  const isAsLogged = row.isAsLogged && row.isNamedAsLogged
  const late = row.observedAt ? Math.floor((row.recordedAt.getTime() - row.observedAt.getTime()) / 1000) : 0
  const isTold = isWhole || row.place !== null
  return {
    id: keyOf(row),
    action: row.action,
    what: isAsLogged ? whatOf(isWhole ? row : { ...row, buildings: [] }) : notAsLogged,
    n: row.n,
    who: isTold ? row.actorName : null,
    role: isTold ? row.actorRole : null,
    recorded_at: row.recordedAt.toISOString(),
    seen_at: row.observedAt?.toISOString() ?? null,
    phone: row.phone === null ? null : [`phone ${row.phone}`, row.device].filter(Boolean).join(', '),
    late: late > lateSeconds ? late : null,
    overruled: row.after?.superseded === true || row.after?.overruled === true,
    ...(isAsLogged ? markOf(row) : { mark: 'changed' as const }),
  }
}
