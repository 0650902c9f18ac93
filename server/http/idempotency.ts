import { sql } from 'kysely'
import type { PersonUid } from '#kernel/ids.ts'
import { each, type InBatch, type RecordKind } from '../platform/db/batches.ts'
import { prepared, type Tx } from '../platform/db/db.ts'
import type { Json } from '../platform/db/tables.ts'
import { Refusal } from '../platform/errors.ts'
import { sha256 } from '../platform/secrets.ts'

/** The key that a phone made for one write, and a fingerprint of the write. */
export interface WriteKey {
  personUid: PersonUid
  key: string
  fingerprint: Buffer
}

/** Method, address and body: two requests are "the same" if all three are equal. */
export function fingerprintOf(method: string, url: string, body: unknown): Buffer {
  return sha256(JSON.stringify([method, url, body ?? null]))
}

/**
 * Does the work once per key. A repeat gets the first answer; the same key with another body is rejected. A second
 * request that arrives while the first one runs waits on the primary key. A rejected write does not use up its key,
 * because it changed nothing and may be retried.
 */
export async function once<T>(tx: Tx, write: WriteKey | undefined, work: () => Promise<T>): Promise<T> {
  if (!write) return work()
  const claimed = await tx
    .insertInto('idempotency')
    .values(write)
    .onConflict((oc) => oc.columns(['personUid', 'key']).doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) return (await findEarlierReply<T>(tx, write)) as T

  const reply = await work()
  await tx
    .updateTable('idempotency')
    // a write without an answer keeps that it was done
    .set({ reply: JSON.stringify(reply ?? null) })
    .where('personUid', '=', write.personUid)
    .where('key', '=', write.key)
    .execute()
  return reply
}

/**
 * Claims the keys of the rows of a part, which has actor_person_uid, key, fingerprint and reply. The part `answered`
 * has these rows and `claimed`: false if the key was used before. Part of the `with` of a batch.
 */
export const claimKeys = (part: string) =>
  sql.raw(`
    claim as (
      insert into idempotency (person_uid, key, fingerprint, reply)
      select actor_person_uid, key, fingerprint, reply from ${part} where key is not null
      on conflict (person_uid, key) do nothing
      returning person_uid, key
    ), answered as (
      select *, key is null or (actor_person_uid, key) in (select * from claim) as claimed from ${part}
    )`)

/**
 * The reply to the first request with this key, if there was one. Throws `idempotency_conflict` if that request was
 * different.
 */
async function findEarlierReply<T>(tx: Tx, write: WriteKey): Promise<T | undefined> {
  const first = await tx
    .selectFrom('idempotency')
    .select(['fingerprint', 'reply'])
    .where('personUid', '=', write.personUid)
    .where('key', '=', write.key)
    .executeTakeFirst()
  return replyOf(first, write)
}

/**
 * Finds the reply for a repeated safety record by the session alone, because the event may be over or the warden off
 * duty by now. Costs one more round trip, which repeats that wait share, and no transaction.
 */
export async function findOwnEarlierReply<T>(
  inBatch: InBatch,
  { tokenHash, key, fingerprint }: { tokenHash: Buffer | undefined; key: string | null; fingerprint: Buffer },
): Promise<T | undefined> {
  if (!tokenHash || key === null) return undefined
  return replyOf(await inBatch(earlierReplies, { tokenHash, key }), { fingerprint })
}

interface Repeat {
  tokenHash: Buffer
  key: string
}

/** Each token and key is looked up in its index, also by a plan that was made when there were few. */
const earlierReplies: RecordKind<Repeat, EarlierReply> = {
  name: 'earlier_reply',
  statement: (repeats) => sql<EarlierReply & { n: number }>`${prepared('earlier_reply')}
    select q.n, i.fingerprint, i.reply
    from unnest(${each(repeats)('tokenHash')}::bytea[], ${each(repeats)('key')}::text[]) with ordinality as q (token_hash, key, n)
    cross join lateral (select * from session where token_hash = q.token_hash offset 0) s
    cross join lateral (select * from idempotency where person_uid = s.person_uid and key = q.key offset 0) i
    where s.revoked_at is null and s.expires_at > now()`,
  senderOf: ({ tokenHash }) => tokenHash.toString('latin1'),
  apartBy: () => [],
}

interface EarlierReply {
  fingerprint: Buffer
  reply: Json
}

function replyOf<T>(first: EarlierReply | undefined, { fingerprint }: Pick<WriteKey, 'fingerprint'>): T | undefined {
  if (first && !first.fingerprint.equals(fingerprint)) throw new Refusal('idempotency_conflict')
  return first?.reply as T | undefined
}
