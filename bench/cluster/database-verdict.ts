import type pg from 'pg'
import type { World } from '../seed/seed.ts'
import type { Phone } from './phones.ts'
import { type Entry, firstFrom, listEntries, phoneFaults, recordFaults, tallyFaults } from './verdict.ts'
import type { Ledger } from './wardens.ts'

/**
 * A phone may show "Connected" for this many milliseconds without an acknowledged record: HUB-28 and the way to the
 * phone.
 */
const deafMs = 13_000

/** All faults after this number of failovers, as sentences. An empty list is a pass. */
export async function findFaultsOfDatabase(
  pool: pg.Pool,
  world: World,
  ledger: Ledger,
  phones: readonly Phone[],
  failovers: number,
) {
  const entries = await listEntries(pool, world)
  const kept = await listKept(pool, world)
  const epoch = await findEpoch(pool)
  const jobs = await countJobsLeft(pool)
  return [
    ...ledger.failed.map((failure) => `a request failed for good: ${failure}`),
    ...recordFaults(entries, ledger),
    ...(epoch.endsWith(`-${failovers}`) ? [] : [`the epoch is ${epoch} after ${failovers} failovers`]),
    ...(await textFaults(pool, world, ledger)),
    ...(jobs ? [`${jobs} jobs are not done`] : []),
    ...(await tallyFaults(pool, world)),
    ...(await listFaults(pool, world, phones)),
    ...phones.flatMap((phone, at) =>
      [...phoneFaults(phone, entries), ...lifeFaults(phone, kept, epoch), ...deafness(phone, entries, ledger)].map(
        (fault) => `phone ${at}: ${fault}`,
      ),
    ),
  ]
}

/** The epoch of the feed (HUB-27). */
export async function findEpoch(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`select system_identifier || '-' || restores as epoch from feed_epoch`)
  return rows[0].epoch
}

/** The offsets in the journal. */
async function listKept(pool: pg.Pool, { clientUid }: World): Promise<Set<number>> {
  const { rows } = await pool.query('select distinct xid::text::float8 as xid from journal where client_uid = $1', [
    clientUid,
  ])
  return new Set(rows.map(({ xid }) => xid))
}

/** The epoch must be current, offsets must rise, and every publication heard must be in the journal. */
function lifeFaults({ heard, gaps, epoch }: Phone, kept: ReadonlySet<number>, current: string): string[] {
  const lost = heard.filter(({ offset }) => !kept.has(offset)).length
  const back = gaps.filter(({ after, upTo }) => upTo < after).length
  return [
    ...(epoch === current ? [] : [`is in epoch ${epoch} instead of ${current}`]),
    ...(lost ? [`heard ${lost} publications of what is not kept`] : []),
    ...(back ? [`was sent back ${back} times to an older place`] : []),
  ]
}

/** Finds records that arrived late, alone or with a gap, while the phone showed "Connected". */
function deafness({ heard, gaps, spans }: Phone, entries: readonly Entry[], { acknowledged }: Ledger): string[] {
  const late = entries.filter(({ key, xid }) => {
    const since = acknowledged.get(key) ?? Number.NaN
    const gap = gaps.find(({ after, upTo }) => xid > after && xid <= upTo)
    const at = (gap ?? firstFrom(heard, xid))?.at ?? Number.NaN
    return at - since > deafMs && spans.some(({ from, to }) => from <= since && to >= at)
  }).length
  return late ? [`said "Connected" and was told of ${late} records too late`] : []
}

/** The phones must show what the tables hold. */
async function listFaults(pool: pg.Pool, { clientUid, eventUid }: World, phones: readonly Phone[]): Promise<string[]> {
  const { rows } = await pool.query(
    `select floor_uid as "floorUid", person_uid as "personUid", status from evacuee
     where client_uid = $1 and event_uid = $2 and active`,
    [clientUid, eventUid],
  )
  const isSame = ({ floorUid, people }: NonNullable<Phone['list']>) => {
    const own = rows.filter((row) => row.floorUid === floorUid)
    return own.length === people.size && own.every(({ personUid, status }) => people.get(personUid) === status)
  }
  const wrong = phones.filter(({ list }) => list && !isSame(list)).length
  return wrong ? [`${wrong} phones show another list than the tables`] : []
}

/** Each text must be stored once and have left. */
async function textFaults(pool: pg.Pool, { clientUid }: World, { texts }: Ledger): Promise<string[]> {
  const { rows } = await pool.query<{ key: string; status: string }>(
    `select key, s.status from unnest($2::text[]) key join sms s on s.client_uid = $1 and s.body like '%' || key || '%'`,
    [clientUid, texts],
  )
  const waiting = rows.filter(({ status }) => status === 'queued').length
  const other = rows.filter(({ status }) => !['queued', 'handed_over', 'delivered'].includes(status)).length
  return [
    ...(rows.length === texts.length ? [] : [`${texts.length} texts were acknowledged, ${rows.length} are kept`]),
    ...(waiting ? [`${waiting} texts have not left`] : []),
    ...(other ? [`${other} texts failed`] : []),
  ]
}

/** Counts jobs that have been due for 20 s. A job whose worker lost the database comes back after a minute. */
export async function countJobsLeft(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as count from pgboss.job_common where name = 'texts' and state < 'completed' and start_after < now() - interval '20 s'`,
  )
  return rows[0].count
}
