import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '#server/platform/db/db.ts'
import { isNamed } from '#server/platform/db/name-search.ts'
import { partOfPhone } from '#server/platform/phones.ts'

export interface SimulatedText {
  uid: string
  toMobile: string
  body: string
}

/** Stores each text once, however often it is handed over. */
export async function insertSimulatedTexts(system: Db, texts: readonly SimulatedText[]): Promise<void> {
  await sql`${prepared('insert_simulated_texts')}
    insert into simulated_text (uid, to_mobile, body)
    select * from unnest(${texts.map((t) => t.uid)}::uuid[], ${texts.map((t) => t.toMobile)}::text[],
      ${texts.map((t) => t.body)}::text[])
    on conflict (uid) do nothing`.execute(system)
}

export interface PhoneRow {
  mobile: string
  name: string
  texts: number
  ringing: boolean
}

/** Phones whose holder or number matches the search, newest text first. */
export async function listPhones(system: Db, search: string, count: number): Promise<PhoneRow[]> {
  const { rows } = await sql<PhoneRow>`
    select p.mobile, string_agg(distinct p.name, ', ') as name,
      coalesce(max(t.texts), 0) as texts, bool_or(t.rings) as ringing
    from (
      select name, search_name, mobile from person where active and mobile is not null
      union all select name, search_name, second_mobile from person where active and second_mobile is not null
    ) p
    left join lateral (select count(*) as texts, max(received_at) as latest, exists (select from ring
        where ring.to_mobile = p.mobile and ring.status = 'handed_over' and ring.gateway = 'simulator') as rings
      from simulated_text where to_mobile = p.mobile) t on true
    where ${fits(search)}
    group by p.mobile
    order by bool_or(t.rings) desc, max(t.latest) desc nulls last, name
    limit ${count}`.execute(system)
  return rows
}

/** Matches part of the name, or of the number in any spelling: '0491 000 004', '+61 491…'. */
function fits(search: string): RawBuilder<boolean> {
  const digits = partOfPhone(search)
  const byName = isNamed(sql`p.search_name`, search)
  return digits ? sql<boolean>`strpos(p.mobile, ${digits}) > 0 or ${byName}` : byName
}

export function listTexts(system: Db, mobile: string) {
  return system
    .selectFrom('simulatedText')
    .select(['uid', 'body', 'receivedAt'])
    .where('toMobile', '=', mobile)
    .orderBy('receivedAt', 'desc')
    .orderBy('uid')
    .limit(200)
    .execute()
}
