import type pg from 'pg'
import type { World } from '../seed.ts'
import type { Phone } from './phones.ts'
import { type Entry, listEntries, phoneFaults, recordFaults, tallyFaults } from './verdict.ts'
import type { Ledger } from './wardens.ts'

/** No phone may say "Connected" for longer than that without hearing what was acknowledged: HUB-28, and the way there. */
const deafMs = 13_000

/** Everything that is not as it must be after so many failovers; an empty list is a pass. */
export async function findFaultsOfDatabase(
  pool: pg.Pool,
  world: World,
  ledger: Ledger,
  phones: readonly Phone[],
  failovers: number,
) {
  const entries = await listEntries(pool, world)
  const told = [...new Set(entries.map(({ xid }) => xid))]
  const inOrder = told.every((xid, at) => at === 0 || xid > (told[at - 1] as number))
  const epoch = await findEpoch(pool)
  return [
    ...ledger.failed.map((failure) => `a request failed for good: ${failure}`),
    ...recordFaults(entries, ledger),
    ...(inOrder ? [] : ['the journal is out of order']),
    ...(epoch.endsWith(`-${failovers}`) ? [] : [`the epoch is ${epoch} after ${failovers} failovers`]),
    ...(await textFaults(pool, world, ledger)),
    ...(await jobFaults(pool)),
    ...(await tallyFaults(pool, world)),
    ...(await listFaults(pool, world, phones)),
    ...phones.flatMap((phone, at) =>
      [...phoneFaults(phone, told), ...lifeFaults(phone, entries, ledger, epoch)].map(
        (fault) => `phone ${at}: ${fault}`,
      ),
    ),
  ]
}

/** As the feed names it: HUB-27. */
export async function findEpoch(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`select system_identifier || '-' || restores as epoch from feed_epoch`)
  return rows[0].epoch
}

/** What concerns the database's lives: its epoch, places that only rise, and nothing heard that is not kept. */
function lifeFaults(phone: Phone, entries: readonly Entry[], { acknowledged }: Ledger, epoch: string): string[] {
  const acknowledgedAt = new Map(entries.map(({ key, xid }) => [xid, acknowledged.get(key) ?? Number.NaN]))
  const isDeafSince = (since: number, at: number) =>
    at - since > deafMs && phone.spans.some(({ from, to }) => from <= since && to >= at)
  const deaf = phone.heard.filter(({ offset, at }) => isDeafSince(acknowledgedAt.get(offset) ?? Number.NaN, at)).length
  const back = phone.gaps.filter(({ after, upTo }) => upTo < after).length
  return [
    ...(phone.epoch === epoch ? [] : [`is in epoch ${phone.epoch} instead of ${epoch}`]),
    ...(deaf ? [`said "Connected" and heard ${deaf} records too late`] : []),
    ...(back ? [`was sent back ${back} times to an older place`] : []),
  ]
}

/** What the phones show is what the tables hold. */
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

/** Each text stands once and has left. */
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

/** Whether the queue of jobs is worked off. */
async function jobFaults(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select count(*)::int as count from pgboss.job_common where name = 'texts' and state < 'completed' and start_after < now() - interval '20 s'`,
  )
  return rows[0].count ? [`${rows[0].count} jobs are not done`] : []
}
