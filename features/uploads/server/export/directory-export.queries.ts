import { sql } from 'kysely'
import type { AdministratorUid, ClientUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/** After so many seconds another worker takes an export that was begun: its process is gone. */
const leaseSeconds = 660
/** A process that ended with the machine was not too large. Three times is. */
const mostAttempts = 3
/** Exports that are made at the same time, whichever workers do it. One of an organisation. */
const mostAtOnce = 2

export interface ExportKey {
  clientUid: ClientUid
  uid: string
}

export interface DirectoryExport extends ExportKey {
  administratorUid: AdministratorUid
  reach: Administrator['reach']
  plans: boolean
  state: 'making' | 'ready' | 'failed'
  message: string | null
  linksUsed: number
}
const columns = sql`client_uid, uid, administrator_uid, reach, plans, state, message, links_used`

/** The one that is being made for this administrator is not made twice. Earlier ones end. */
export async function insertExport(
  tx: Tx,
  { clientUid, administratorUid, reach, seesPlans }: Administrator,
): Promise<DirectoryExport & { isNew: boolean }> {
  const own = sql`(client_uid, administrator_uid) = (${clientUid}, ${administratorUid})`
  await sql`
    update directory_export set expires_at = now() where ${own} and state <> 'making' and expires_at > now()`.execute(
    tx,
  )
  const { rows } = await sql<DirectoryExport>`
    insert into directory_export (client_uid, administrator_uid, reach, plans)
    values (${clientUid}, ${administratorUid}, ${JSON.stringify(reach)}, ${seesPlans})
    on conflict (client_uid, administrator_uid) where state = 'making' do nothing
    returning ${columns}`.execute(tx)
  const [row] = rows
  if (row) return { ...row, isNew: true }
  const making = await sql<DirectoryExport>`
    select ${columns} from directory_export where ${own} and state = 'making'`.execute(tx)
  // it has ended between the two statements: the caller's retry makes a new one
  if (!making.rows[0]) throw new Error('The export has just ended.')
  return { ...making.rows[0], isNew: false }
}

export async function findOwnExport(
  tx: Tx,
  { clientUid, administratorUid }: Administrator,
  uid: string,
): Promise<DirectoryExport | undefined> {
  const { rows } = await sql<DirectoryExport>`
    select ${columns} from directory_export
    where (client_uid, administrator_uid, uid) = (${clientUid}, ${administratorUid}, ${uid}) and expires_at > now()`.execute(
    tx,
  )
  return rows[0]
}

/** One whose link was signed here. */
export async function findExport(system: Db, uid: string): Promise<DirectoryExport | undefined> {
  const { rows } = await sql<DirectoryExport>`
    select ${columns} from directory_export where uid = ${uid} and state = 'ready' and expires_at > now()`.execute(
    system,
  )
  return rows[0]
}

/** Of requests with the same link at once, true for one. */
export async function useLink(system: Db, { clientUid, uid }: ExportKey, nth: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update directory_export set links_used = links_used + 1
    where (client_uid, uid, links_used) = (${clientUid}, ${uid}, ${nth})`.execute(system)
  return numAffectedRows === 1n
}

/** The oldest export that is due, for this worker alone. */
export async function claimExport(system: Db): Promise<DirectoryExport | undefined> {
  return system.transaction().execute(async (tx) => {
    // two workers at once would each count the others without themselves
    await sql`select pg_advisory_xact_lock(hashtext('evac directory exports'))`.execute(tx)
    await sql`
      update directory_export set state = 'failed'
      where state = 'making' and claimed_until <= now() and attempts >= ${mostAttempts}`.execute(tx)
    const { rows } = await sql<DirectoryExport>`
      with busy as (select client_uid from directory_export where state = 'making' and claimed_until > now())
      update directory_export set attempts = attempts + 1, claimed_until = now() + make_interval(secs => ${leaseSeconds})
      where (client_uid, uid) = (
        select client_uid, uid from directory_export
        where state = 'making' and expires_at > now() and (claimed_until is null or claimed_until <= now())
          and client_uid not in (select client_uid from busy) and (select count(*) from busy) < ${mostAtOnce}
        order by asked_at, uid limit 1)
      returning ${columns}`.execute(tx)
    return rows[0]
  })
}

/** Without a message it is tried again, at most three times in all. */
export async function noteFailed(system: Db, { clientUid, uid }: ExportKey, message: string | null): Promise<void> {
  await sql`
    update directory_export set message = ${message}, claimed_until = null,
      state = case when ${message}::text is null and attempts < ${mostAttempts} then 'making' else 'failed' end
    where (client_uid, uid) = (${clientUid}, ${uid}) and state = 'making'`.execute(system)
}

/** From now on it lasts for an hour. Nothing if it has ended meanwhile, because a person was erased. */
export async function noteReady(system: Db, { clientUid, uid }: ExportKey): Promise<void> {
  await sql`
    update directory_export set state = 'ready', expires_at = now() + interval '1 hour'
    where (client_uid, uid) = (${clientUid}, ${uid}) and state = 'making' and expires_at > now()`.execute(system)
}

export async function listExpired(system: Db): Promise<ExportKey[]> {
  const { rows } = await sql<ExportKey>`
    select client_uid, uid from directory_export where expires_at <= now() limit 1000`.execute(system)
  return rows
}

export async function deleteExport(system: Db, { clientUid, uid }: ExportKey): Promise<void> {
  await sql`delete from directory_export where (client_uid, uid) = (${clientUid}, ${uid})`.execute(system)
}
