import type pg from 'pg'

/** Answers of writes, and counts of tries: the phones of then will ask anew. */
const forget = ['delete from idempotency', 'delete from throttle', 'delete from recent_attempt']
/** Texts of then must not go out now. */
const holdTexts = `update sms set status = 'expired', reason = 'not sent before the database was restored'
  where status = 'queued'`
/** Nor what was still to become texts, nor mails. */
const holdOthers = [
  'update broadcast set finished_at = now() where finished_at is null',
  "update mail set status = 'expired', reason = 'not sent before the database was restored' where status = 'queued'",
]
/** The feed begins anew at the next start: no offset of the old life fits (HUB-27). */
const endEpoch = `update feed_epoch set system_identifier = 'restored'`

/** Answers how many texts are held. */
export async function makeSafe(client: pg.ClientBase): Promise<number> {
  await endTokens(client)
  for (const statement of [...forget, ...holdOthers, endEpoch]) await client.query(statement)
  return (await client.query(holdTexts)).rowCount ?? 0
}

/** T26: who held a session or a link when the backup was made, or took one out of it since, holds nothing now. Answers how many. */
export async function endTokens(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = 'public' and column_name = 'token_hash'`,
  )
  let ended = 0
  for (const { table } of rows) {
    const { rowCount } = await client.query(`update "${table}" set expires_at = now() where expires_at > now()`)
    ended += rowCount ?? 0
  }
  return ended
}
