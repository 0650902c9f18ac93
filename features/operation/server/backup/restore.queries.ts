import type pg from 'pg'

/** Stored replies and attempt counts, which are outdated after a restore. */
const forget = ['delete from idempotency', 'delete from throttle', 'delete from recent_attempt']
/** Queued texts of the backup must not be sent now. */
const holdTexts = `update sms set status = 'expired', reason = 'not sent before the database was restored'
  where status = 'queued'`
/** The same for broadcasts, mails and steps of those who are still to be reached. */
const holdOthers = [
  'update broadcast set finished_at = now() where finished_at is null',
  "update mail set status = 'expired', reason = 'not sent before the database was restored' where status = 'queued'",
  "update reach set state = 'over', reason = 'not reached before the database was restored' where state = 'going'",
]
/** Starts a new epoch, because no earlier offset is valid. */
const endEpoch = `update feed_epoch set system_identifier = 'restored'`

/** Returns how many texts are held. */
export async function makeSafe(client: pg.ClientBase): Promise<number> {
  await endTokens(client)
  for (const statement of [...forget, ...holdOthers, endEpoch]) await client.query(statement)
  return (await client.query(holdTexts)).rowCount ?? 0
}

/** Ends all sessions and links of the backup. Returns their number. */
export async function endTokens(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ table: string; expires: boolean }>(
    `select table_name as table, bool_or(column_name = 'expires_at') as expires from information_schema.columns
     where table_schema = 'public' group by table_name having bool_or(column_name = 'token_hash')`,
  )
  let ended = 0
  for (const { table, expires } of rows) {
    // the link of an observer has no date of its own
    const end = expires ? 'expires_at = now() where expires_at > now()' : 'revoked_at = now() where revoked_at is null'
    ended += (await client.query(`update "${table}" set ${end}`)).rowCount ?? 0
  }
  return ended
}
