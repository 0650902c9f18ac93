import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

/**
 * The next serial of the organisation's logs, from 1. Its row is locked until the transaction ends, so there are no gaps. A log
 * of which a head was signed is counted even where its own row is gone.
 */
export async function takeSerial(tx: Tx, clientUid: ClientUid): Promise<number> {
  await sql`insert into record_counter (client_uid) values (${clientUid}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ serial: number }>`
    update record_counter set last_serial = 1 + greatest(last_serial,
      coalesce((select max(serial) from head_log where client_uid = ${clientUid}), 0))
    where client_uid = ${clientUid} returning last_serial as serial`.execute(tx)
  return (rows[0] as { serial: number }).serial
}

/** A log by its serial, with the newest of its heads that was kept. `isHere`: false if only the head is left of it. */
export async function findSerial(tx: Tx, clientUid: ClientUid, serial: number) {
  const { rows } = await sql<{ event: string | null; size: number | null; root: string | null; isHere: boolean }>`
    select coalesce(l.event_uid, h.event_uid) as event, h.size, encode(h.root, 'base64') as root, l.event_uid is not null as is_here
    from (select) one
    left join record_log l on l.client_uid = ${clientUid} and l.serial = ${serial}
    left join lateral (select event_uid, size, root from head_log
      where client_uid = ${clientUid} and serial = ${serial} order by n desc limit 1) h on true`.execute(tx)
  return rows[0]
}
