import { sql } from 'kysely'
import { passwordDigest } from '#server/administrators/live-console-session.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { NextStep } from '../../calls/console-sign-in.ts'
import { type Grant, grantColumns, liveGrant } from './grants.queries.ts'

export interface NewTicket {
  tokenHash: Buffer
  step: NextStep['step']
  accountUid: string
  passwordDigest: Buffer
  furtherAccountUids: string[]
  furtherDigests: Buffer[]
  expiresAt: Date
}

export async function insertTicket(db: Db, ticket: NewTicket): Promise<void> {
  await db.insertInto('consoleTicket').values(ticket).execute()
}

/** A ticket with the grant that it leads to. */
export interface OpenTicket extends Grant {
  ticketUid: string
  furtherAccountUids: string[]
  furtherDigests: Buffer[]
  /** Of a second factor that is being set up, sealed. */
  secret: Buffer | null
}

/** The ticket if it may still be used for the step: its password and its grant stand. Locks it until the transaction ends. */
export async function lockTicket(
  tx: Tx,
  tokenHash: Buffer,
  step: NextStep['step'],
  now: Date,
): Promise<OpenTicket | undefined> {
  const { rows } = await sql<OpenTicket>`
    select t.uid as ticket_uid, t.further_account_uids, t.further_digests, t.secret, ${grantColumns}
    from console_ticket t
    join account ac on ac.uid = t.account_uid and ac.active and ${passwordDigest} = t.password_digest
    ${liveGrant}
    where t.token_hash = ${tokenHash} and t.step = ${step} and t.used_at is null and t.expires_at > ${now}
    for update of t`.execute(tx)
  return rows[0]
}

export async function keepSecret(tx: Tx, ticketUid: string, secret: Buffer): Promise<void> {
  await tx.updateTable('consoleTicket').set({ secret }).where('uid', '=', ticketUid).execute()
}

/** The ticket opens nothing any more. */
export async function useTicket(tx: Tx, ticketUid: string, now: Date): Promise<void> {
  await tx.updateTable('consoleTicket').set({ usedAt: now, secret: null }).where('uid', '=', ticketUid).execute()
}
