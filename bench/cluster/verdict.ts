import type pg from 'pg'
import { type SafetyStatus, safetyStatuses } from '#kernel/vocabulary.ts'
import { percentile } from '../report/report.ts'
import type { World } from '../seed/seed.ts'
import type { Phone } from './phones.ts'
import type { Ledger } from './wardens.ts'

export interface Entry {
  key: string
  xid: number
  status: string
  person: string
}

/** The records of the run in the database, in the order of commit. */
export async function listEntries(pool: pg.Pool, world: World): Promise<Entry[]> {
  const { rows } = await pool.query(
    `select key, xid::text::float8 as xid, after->>'status' as status, subject_uid as person from journal
     where client_uid = $1 and event_uid = $2 and action = 'evacuee_status_set' order by journal.xid`,
    [world.clientUid, world.eventUid],
  )
  return rows
}

/** All faults, as sentences. An empty list is a pass. `mayMiss`: phones may be told to fetch everything anew. */
export async function findFaults(
  pool: pg.Pool,
  world: World,
  ledger: Ledger,
  phones: readonly Phone[],
  { mayMiss = false } = {},
) {
  const entries = await listEntries(pool, world)
  const isToldAnew = ({ gaps }: Phone) => !mayMiss && gaps.length > 0
  return [
    ...ledger.failed.map((failure) => `a request failed for good: ${failure}`),
    ...recordFaults(entries, ledger),
    ...phones.flatMap((phone, at) => [
      ...phoneFaults(phone, entries).map((fault) => `phone ${at}: ${fault}`),
      ...(isToldAnew(phone) ? [`phone ${at}: was told ${phone.gaps.length} times to fetch everything anew`] : []),
    ]),
    ...(await tallyFaults(pool, world)),
  ]
}

/** Each acknowledged record must be stored once, and no other. */
export function recordFaults(entries: readonly Entry[], { acknowledged, confirmed }: Ledger): string[] {
  const counts = Map.groupBy(entries, ({ key }) => key)
  const lost = [...acknowledged.keys()].filter((key) => !counts.has(key))
  const twice = [...counts].filter(([, found]) => found.length > 1)
  const otherwise = entries.filter(({ key, status }) => confirmed.has(key) && confirmed.get(key) !== status)
  const unknown = [...counts.keys()].filter((key) => !acknowledged.has(key))
  return [
    ...(lost.length ? [`${lost.length} acknowledged records are lost`] : []),
    ...(twice.length ? [`${twice.length} records were made twice`] : []),
    ...(otherwise.length ? [`${otherwise.length} records are kept otherwise than they were answered`] : []),
    ...(unknown.length ? [`${unknown.length} records were made and never acknowledged`] : []),
  ]
}

/**
 * A phone must hear of every record in order, except for announced gaps. A publication tells of all transactions since the one
 * before.
 */
export function phoneFaults({ heard, gaps }: Phone, entries: readonly Entry[]): string[] {
  const isFetched = (xid: number) => gaps.some(({ after, upTo }) => xid > after && xid <= upTo)
  const isTold = ({ xid, person }: Entry) => {
    const first = firstFrom(heard, xid)
    return first !== undefined && (first.people === 'any' || first.people.includes(person))
  }
  const missed = entries.filter((entry) => !isTold(entry) && !isFetched(entry.xid)).length
  const disorder = heard.filter(({ offset }, at) => at > 0 && offset <= (heard[at - 1]?.offset as number)).length
  return [
    ...(missed ? [`missed ${missed} of ${entries.length} records`] : []),
    ...(disorder ? [`${disorder} publications came twice or out of order`] : []),
  ]
}

/** What a phone heard first of a transaction. In order, or the order itself is a fault. */
export function firstFrom(heard: Phone['heard'], xid: number): Phone['heard'][number] | undefined {
  let [low, high] = [0, heard.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((heard[middle]?.offset as number) < xid) low = middle + 1
    else high = middle
  }
  return heard[low]
}

const each = (text: (status: SafetyStatus) => string) => safetyStatuses.map(text).join(', ')

/** The tallies must match the rows, and each row must match its last record. */
export async function tallyFaults(pool: pg.Pool, { clientUid, eventUid }: World): Promise<string[]> {
  const wrongTallies = await pool.query(
    `select from tally y left join (
       select place_uid, ${each((status) => `count(*) filter (where status = '${status}') as ${status}`)}
       from evacuee where client_uid = $1 and event_uid = $2 and active group by 1) n using (place_uid)
     where y.client_uid = $1 and y.event_uid = $2
       and (${each((status) => `y.${status}`)}) is distinct from (${each((status) => `coalesce(n.${status}, 0)`)})`,
    [clientUid, eventUid],
  )
  const wrongRows = await pool.query(
    `select from (select distinct on (subject_uid) subject_uid, after->>'status' as status from journal
       where client_uid = $1 and event_uid = $2 and after->>'superseded' is distinct from 'true'
       order by subject_uid, position desc) last
     join evacuee e on e.client_uid = $1 and e.event_uid = $2 and e.person_uid = last.subject_uid
     where e.status <> last.status`,
    [clientUid, eventUid],
  )
  return [
    ...(wrongTallies.rowCount ? [`${wrongTallies.rowCount} floors count wrongly`] : []),
    ...(wrongRows.rowCount ? [`${wrongRows.rowCount} people stand otherwise than last recorded`] : []),
  ]
}

export interface Phase {
  name: string
  from: number
}

/** The delay from the acknowledgement of a record to the phones, for each phase of the run. */
export function listDelays(
  phases: readonly Phase[],
  entries: readonly Entry[],
  { acknowledged }: Ledger,
  phones: readonly Phone[],
) {
  const times = phones.flatMap(({ heard }) =>
    entries.flatMap(({ key, xid }) => {
      const first = firstFrom(heard, xid)
      return first ? [{ since: acknowledged.get(key) ?? Number.NaN, at: first.at }] : []
    }),
  )
  return phases.map(({ name, from }, at) => {
    const until = phases[at + 1]?.from ?? Number.POSITIVE_INFINITY
    const own = times.filter(({ since }) => since >= from && since < until)
    const delays = own.map(({ since, at: heardAt }) => Math.max(0, heardAt - since))
    const ms = (p: number) => Math.round(percentile(delays, p))
    return { phase: name, deliveries: own.length, 'p50 ms': ms(50), 'p99 ms': ms(99), 'longest ms': ms(100) }
  })
}
