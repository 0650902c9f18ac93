import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

/** True if the newest head was kept within a day. */
export async function hasGrownToday(system: Db): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    select at > now() - interval '1 day' as is_new from head_log order by n desc limit 1`.execute(system)
  return rows[0]?.isNew === true
}

/** The largest size that the witness has signed. 0: none. */
export async function findSignedSize(system: Db, witness: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select coalesce(max(size), 0)::int as size from witness_signature where witness = ${witness}`.execute(system)
  return rows[0]?.size ?? 0
}

/** What the witness has signed. It refuses no more. */
export async function saveSignature(system: Db, witness: string, size: number, signature: string): Promise<void> {
  await sql`
    insert into witness_signature (witness, size, signature) values (${witness}, ${size}, ${signature})
    on conflict do nothing`.execute(system)
  await sql`delete from witness_refusal where witness = ${witness}`.execute(system)
}

/** The witness has signed something that the log of heads does not continue. */
export async function noteRefusal(system: Db, witness: string): Promise<void> {
  await sql`insert into witness_refusal (witness) values (${witness}) on conflict do nothing`.execute(system)
}

/** The newest size from that on that a witness has signed, with the lines of all who signed it. */
export async function findWitnessed(db: Db, from: number): Promise<{ size: number; lines: string[] } | undefined> {
  const { rows } = await sql<{ size: number; lines: string[] }>`
    select size::int, array_agg(signature order by witness) as lines from witness_signature
    where size >= ${from} group by size order by size desc limit 1`.execute(db)
  return rows[0]
}
