import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import { dialled } from '#server/platform/phones.ts'
import { digitsOf, readingsOf, type SenderKind } from './sender.ts'

/**
 * The sender of a text as digits with country code: the reading that is someone's number, else the likeliest one. A name or
 * a short code, and a national number that may be of several countries, stay as they came.
 */
export async function findSender(tx: Tx, from: string, kind: SenderKind): Promise<string> {
  const digits = digitsOf(from, kind)
  if (!digits) return from
  const plain = readingsOf(from, kind, [])
  if (plain[0] !== undefined && (dialled(from).startsWith('+') || kind === 'international')) return plain[0]
  const { rows } = await sql<{ country: string }>`
    select distinct c.country from event e join client c on c.uid = e.client_uid and c.active where e.ended_at is null`.execute(
    tx,
  )
  const readings = readingsOf(
    from,
    kind,
    rows.map(({ country }) => country),
  )
  const [only, ...others] = readings
  if (only === undefined) return digits
  if (others.length === 0) return only
  const known = await sql<{ mobile: string }>`
    select distinct mobile from person where mobile = any (${readings}::text[])`.execute(tx)
  const someones = readings.find((reading) => known.rows.some(({ mobile }) => mobile === reading))
  return someones ?? plain[0] ?? digits
}
