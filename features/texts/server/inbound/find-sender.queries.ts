import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import { dialled } from '#server/platform/phones.ts'
import { digitsOf, readingsOf, type SenderKind } from './sender.ts'

/**
 * The sender of a text as digits with country code: the reading that is someone's number (of several, that of the only person
 * whom a running event has texted), else the likeliest one. A name or a short code, and a number that may be of several people or
 * countries, stay as they came.
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
  const { rows: known } = await sql<{ mobile: string; isAsked: boolean }>`
    select p.mobile, bool_or(exists (
      select from event e join sms s on s.client_uid = e.client_uid and s.event_uid = e.uid and s.person_uid = p.uid
      where e.client_uid = p.client_uid and e.ended_at is null)) as is_asked
    from person p where p.mobile = any (${readings}::text[]) group by p.mobile`.execute(tx)
  const asked = known.filter(({ isAsked }) => isAsked)
  const someones = asked.length > 0 ? asked : known
  // of two people neither is made safe, and a call for help is shown with the number as it came
  if (someones.length > 1) return digits
  return someones[0]?.mobile ?? plain[0] ?? digits
}
