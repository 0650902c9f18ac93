import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

export interface NewConsoleSession {
  tokenHash: Buffer
  accountUid: string
  passwordDigest: Buffer
  furtherAccountUids: string[]
  furtherDigests: Buffer[]
  expiresAt: Date
}

export async function insertConsoleSession(tx: Tx, session: NewConsoleSession): Promise<void> {
  await tx.insertInto('consoleSession').values(session).execute()
}

export async function confirmSession(tx: Tx, sessionUid: string): Promise<void> {
  await tx.updateTable('consoleSession').set({ confirmedAt: sql`now()` }).where('uid', '=', sessionUid).execute()
}

/** Locks the session. False if it has just ended. */
export async function lockConsoleSession(tx: Tx, sessionUid: string): Promise<boolean> {
  const found = await tx
    .selectFrom('consoleSession')
    .select('uid')
    .where('uid', '=', sessionUid)
    .where('revokedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

export async function revokeConsoleSession(tx: Tx, sessionUid: string): Promise<void> {
  await tx
    .updateTable('consoleSession')
    .set({ revokedAt: sql`now()` })
    .where('uid', '=', sessionUid)
    .where('revokedAt', 'is', null)
    .execute()
}

/** Ends the sessions and tickets of these accounts. Sessions of other accounts can no longer switch to them. */
export async function revokeConsoleSessions(tx: Tx, accountUids: readonly string[]): Promise<void> {
  const isMeant = sql<boolean>`account_uid = any (${accountUids}::uuid[])`
  await tx
    .updateTable('consoleSession')
    .set({ revokedAt: sql`now()` })
    .where(isMeant)
    .where('revokedAt', 'is', null)
    .execute()
  await tx
    .updateTable('consoleTicket')
    .set({ usedAt: sql`now()`, secret: null })
    .where(isMeant)
    .where('usedAt', 'is', null)
    .execute()
}

/** Ends the console sessions of everyone in the organisation. */
export async function revokeConsoleSessionsOf(tx: Tx, clientUid: ClientUid): Promise<void> {
  const accounts = await tx
    .selectFrom('administrator as g')
    .innerJoin('person as p', (join) =>
      join.onRef('p.clientUid', '=', 'g.clientUid').onRef('p.uid', '=', 'g.personUid'),
    )
    .select('p.accountUid')
    .where('g.clientUid', '=', clientUid)
    .execute()
  await revokeConsoleSessions(
    tx,
    accounts.flatMap(({ accountUid }) => accountUid ?? []),
  )
}

/** The session's account and others that its password opened at sign-in, with the digests of then. */
export async function listProvenAccounts(system: Db, sessionUid: string) {
  const { rows } = await sql<{ accountUid: string; digest: Buffer }>`
    select proven.* from console_session s
    cross join unnest(s.account_uid || s.further_account_uids, s.password_digest || s.further_digests)
      as proven (account_uid, digest)
    where s.uid = ${sessionUid}`.execute(system)
  return rows
}

interface MeRow {
  firstName: string
  lastName: string
  organisation: string
  timezone: string
  reachName: string | null
  recoveryCodesLeft: number
}

export async function findMe(system: Db, { administratorUid, clientUid, accountUid }: Administrator): Promise<MeRow> {
  const { rows } = await sql<MeRow>`
    select p.first_name, p.last_name, c.name as organisation, c.timezone,
      coalesce(st.name, gr.name) as reach_name,
      (select count(*)::int from recovery_code rc where rc.account_uid = ${accountUid} and rc.used_at is null)
        as recovery_codes_left
    from administrator g
    join client c on c.uid = g.client_uid
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid
    left join site st on st.client_uid = g.client_uid and st.uid = g.site_uid
    left join people_group gr on gr.client_uid = g.client_uid and gr.uid = g.group_uid
    where g.client_uid = ${clientUid} and g.uid = ${administratorUid}`.execute(system)
  return rows[0] as MeRow
}
