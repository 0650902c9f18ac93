import { type RawBuilder, sql } from 'kysely'
import { endAccount } from '#features/authority/server/writes/accounts.queries.ts'
import { endGrantsOf } from '#features/authority/server/writes/grants.queries.ts'
import { deleteResets } from '#features/authority/server/writes/password-resets.queries.ts'
import { unlinkAccount } from '#features/authority/server/writes/people.queries.ts'
import { reportLimits } from '#features/self-report/kinds.ts'
import type { ClientUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { eventSiteOf } from './person.queries.ts'

/** What an erased person is called from then on. */
export const erased = { firstName: 'Erased', lastName: 'person', whole: 'Erased person' }

/** A person and the account that is erased with them. */
export interface Erasing {
  clientUid: ClientUid
  uid: PersonUid
  accountUid: string | null
  /** What names the person in a text: their name, addresses, user name and number. Without case. */
  pattern: string
  /** Small letters. */
  emails: string[]
  /** Digits. Empty if someone else has the same number, at any organisation. */
  mobiles: string[]
}

interface NamesRow {
  name: string
  /** As lists have it. */
  listName: string
  accountUid: string | null
  emails: string[]
  usernames: string[]
  mobiles: string[]
  ownMobiles: string[]
}

/** Reads by what the person is named. `then`: names that they had in events. */
export async function findNames(
  tx: Tx,
  clientUid: ClientUid,
  uid: PersonUid,
  then: readonly string[],
): Promise<Erasing> {
  const { rows } = await sql<NamesRow>`
    select p.name, concat_ws(', ', p.last_name, nullif(p.first_name, '')) as list_name, p.account_uid, array_remove(array[lower(p.email), lower(ac.email)], null) as emails,
      array_remove(array[ac.username], null) as usernames, array_remove(array[p.mobile, p.second_mobile, ac.mobile], null) as mobiles,
      array(select m from unnest(array_remove(array[p.mobile, p.second_mobile, ac.mobile], null)) m
        where not exists (select from person o where (o.mobile = m or o.second_mobile = m) and (o.client_uid, o.uid) <> (p.client_uid, p.uid))
          and not exists (select from account o where o.mobile = m and o.uid is distinct from p.account_uid)) as own_mobiles
    from person p left join account ac on ac.uid = p.account_uid
    where p.client_uid = ${clientUid} and p.uid = ${uid}`.execute(tx)
  const { name, listName, accountUid, emails, usernames, mobiles, ownMobiles } = rows[0] as NamesRow
  const names = [name, listName, ...then, ...emails, ...usernames, ...mobiles]
  return { clientUid, uid, accountUid, emails, mobiles: ownMobiles, pattern: patternOf(names) }
}

/** Finds each of these as whole words, also where JSON escapes them. A regular expression of PostgreSQL. */
export function patternOf(names: readonly string[]): string {
  const spelt = new Set(names.flatMap((name) => [name, JSON.stringify(name).slice(1, -1)]))
  const escaped = [...spelt].map((name) => name.replace(/[^\p{L}\p{N}\s]/gu, '\\$&'))
  return `(?<!\\w)(?:${escaped.join('|')})(?!\\w)`
}

/** Sites where an event may count the person, or have them as a warden, in lock order. */
export async function listSitesOf(tx: Tx, clientUid: ClientUid, people: readonly PersonUid[]): Promise<SiteUid[]> {
  const { rows } = await sql<{ siteUid: SiteUid }>`
    select b.site_uid from person p
    left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
    join building b on b.client_uid = p.client_uid and b.uid = coalesce(f.building_uid, p.visiting_building_uid)
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])
    union select a.site_uid from warden_assignment a
    where a.client_uid = ${clientUid} and a.person_uid = any (${people as PersonUid[]}::uuid[])
    order by 1`.execute(tx)
  return rows.map(({ siteUid }) => siteUid)
}

/** The site of a running event that one of them takes part in. */
export async function findEventOf(tx: Tx, clientUid: ClientUid, people: readonly PersonUid[]) {
  for (const uid of people) {
    const { rows } = await sql<{ site: string | null }>`
      select ${eventSiteOf(sql`${clientUid}::uuid`, sql`${uid}::uuid`)} as site`.execute(tx)
    if (rows[0]?.site) return rows[0].site
  }
  return undefined
}

const run = async (tx: Tx, ...statements: RawBuilder<unknown>[]) => {
  for (const statement of statements) await statement.execute(tx)
}

/** The person themselves, and what hangs on them alone. Returns the keys of their documents. */
export async function erasePerson(tx: Tx, { clientUid, uid }: Erasing): Promise<string[]> {
  const of = sql`client_uid = ${clientUid} and person_uid = ${uid}`
  const { rows } = await sql<{ storageKey: string | null }>`
    delete from document where ${of} and num_nonnulls(site_uid, role_uid) = 0 returning storage_key`.execute(tx)
  await run(
    tx,
    sql`update document set person_uid = null, updated_at = now() where ${of}`,
    sql`delete from peep where ${of}`,
    sql`delete from people_group_member where ${of}`,
    // its page ends, and no one is told any more
    sql`update plan_notice set token_hash = null, expires_at = null, how = 'none', told_at = coalesce(told_at, now()),
        in_person_at = null, in_person_by_uid = null where ${of}`,
    sql`delete from push_phone where ${of}`,
    sql`delete from former_address where ${of}`,
    sql`delete from sign_in_change where ${of}`,
    sql`update waiting_change set wanted = '{}', done_at = coalesce(done_at, now()), outcome = coalesce(outcome, 'dropped')
      where ${of}`,
    sql`update warden_assignment set declined_note = ${erased.whole} where ${of} and declined_note is not null`,
    sql`update warden_assignment set status = 'Withdrawn', declined_note = ${erased.whole}, updated_at = now()
      where ${of} and status in ('Offered', 'Accepted') and date_to >= current_date - 1`,
    sql`update evacuee set sort_name = ${erased.whole}, search_name = name_search(${erased.whole}), refusal_detail = '' where ${of}`,
    sql`update person set first_name = ${erased.firstName}, last_name = ${erased.lastName}, code = 'erased-' || uid,
        email = null, mobile = null, second_mobile = null, is_client_master = false, primary_floor_uid = null,
        visiting_building_uid = null, erased_at = now(), updated_at = now()
      where client_uid = ${clientUid} and uid = ${uid}`,
  )
  await endGrantsOf(tx, clientUid, uid)
  await unlinkAccount(tx, clientUid, uid)
  return rows.flatMap(({ storageKey }) => storageKey ?? [])
}

/** Keys of these files that no other document names. */
export async function listUnnamed(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select k as key from unnest(${keys as string[]}::text[]) k
    where not exists (select from document d where d.storage_key = k)`.execute(tx)
  return rows.map(({ key }) => key)
}

/** The account without a name, and every link and code that was made for it. Its sessions have ended. */
export async function eraseAccount(tx: Tx, { accountUid, emails, mobiles }: Erasing): Promise<void> {
  const ofKeys = sql`exists (select from unnest(${[...mobiles, ...emails]}::text[]) n where strpos(lower(key), n) > 0)`
  await run(
    tx,
    sql`delete from mobile_token where account_uid = ${accountUid} or phone = any (${mobiles}::text[])`,
    sql`delete from console_ticket where account_uid = ${accountUid}`,
    sql`delete from throttle where ${ofKeys}`,
    sql`delete from recent_attempt where ${ofKeys}`,
  )
  await deleteResets(tx, accountUid, emails)
  if (accountUid) await endAccount(tx, accountUid)
}

/** Messages, texts and mails to and from the person: their states stay. */
export async function eraseMessages(tx: Tx, { clientUid, uid, accountUid, emails, mobiles }: Erasing): Promise<void> {
  const signIns = sql`(select s.uid from warden_sign_in s where s.client_uid = ${clientUid} and s.person_uid = ${uid})`
  const evacuees = sql`(select v.uid from evacuee v where v.client_uid = ${clientUid} and v.person_uid = ${uid})`
  const texts = await sql<{ uid: string }>`
    update sms set to_mobile = null, body = '', reason = null,
      status = case when status = 'queued' then 'skipped' else status end
    where client_uid = ${clientUid} and (person_uid = ${uid} or sign_in_uid in ${signIns}
      or (person_uid is null and to_mobile = any (${mobiles}::text[]))) returning uid`.execute(tx)
  await sql`update ring set to_mobile = null, say = null, reason = null,
      status = case when status in ('queued', 'handed_over') then 'skipped' else status end
    where client_uid = ${clientUid} and to_mobile is not null
      and reach_uid in (select uid from reach where client_uid = ${clientUid} and person_uid = ${uid})`.execute(tx)
  const textUids = texts.rows.map((text) => text.uid)
  const mails = await sql<{ uid: string }>`
    delete from mail where account_uid = ${accountUid} or lower(to_email) = any (${emails}::text[]) returning uid`.execute(
    tx,
  )
  await run(
    tx,
    sql`update sms_part set reason = null where sms_client_uid = ${clientUid} and sms_uid = any (${textUids}::uuid[])`,
    sql`update message set text = ${erased.whole}, shared_with = null where client_uid = ${clientUid}
      and (evacuee_uid in ${evacuees} or sender_sign_in_uid in ${signIns} or recipient_sign_in_uid in ${signIns})`,
    sql`update self_report set said_name = null, said_mobile = null, words = null, network = '', home = null, site = null
      where client_uid = ${clientUid} and (evacuee_uid in ${evacuees} or said_mobile = any (${mobiles}::text[]))`,
    sql`update sign_in_log set peer_email = null
      where client_uid = ${clientUid} and lower(peer_email) = any (${emails}::text[])`,
    sql`delete from simulated_text where uid = any (${textUids}::uuid[]) or to_mobile = any (${mobiles}::text[])`,
    sql`delete from simulated_mail where uid = any (${mails.rows.map((mail) => mail.uid)}::uuid[])
      or lower(to_email) = any (${emails}::text[])`,
    ...['inbound_text', 'inbound_piece'].map(
      (table) => sql`delete from ${sql.table(table)} where from_mobile = any (${mobiles}::text[])`,
    ),
    sql`delete from sms_refusal where mobile = any (${mobiles}::text[])`,
  )
}

/** What others of the organisation wrote about the person, and what was kept for them: the name goes, the rest stays. */
export async function eraseMentions(tx: Tx, { clientUid, uid, pattern }: Erasing): Promise<void> {
  const without = (text: RawBuilder<unknown>) => sql`regexp_replace(${text}, ${pattern}, ${erased.whole}, 'gi')`
  const rewrite = (table: string, column: string, most?: number) => {
    const text = sql.ref(column)
    return sql`update ${sql.table(table)} set ${text} = ${most ? sql`left(${without(text)}, ${most})` : without(text)}
      where client_uid = ${clientUid} and ${text} ~* ${pattern}`
  }
  const accounts = sql`(select ac.uid from account ac where ac.owner_client_uid = ${clientUid})`
  const people = sql`(select p.uid from person p where p.client_uid = ${clientUid} and p.account_uid is not null)`
  const mails = await sql<{ uid: string }>`
    update mail set subject = ${without(sql`subject`)}, body = ${without(sql`body`)}
    where account_uid in ${accounts} and subject || ' ' || body ~* ${pattern} returning uid`.execute(tx)
  await run(
    tx,
    rewrite('message', 'text', mostLetters),
    rewrite('message', 'shared_with', mostOfNames),
    rewrite('sms', 'body'),
    rewrite('broadcast', 'body'),
    rewrite('event', 'message', mostLetters),
    // records and what was added to them: the figures stay
    sql`update event_record set summary = ${without(sql`summary::text`)}::jsonb
      where client_uid = ${clientUid} and summary::text ~* ${pattern}`,
    // what the person added has the name of then
    sql`update record_entry set body = ${without(sql`body::text`)}::jsonb, salt = null,
        by_name = case when by_person_uid = ${uid} then ${erased.whole} else ${without(sql`by_name`)} end
      where client_uid = ${clientUid} and (by_person_uid = ${uid} or body::text || by_name ~* ${pattern})`,
    // files that hold the name end at once
    sql`update record_export set expires_at = now() where client_uid = ${clientUid}`,
    sql`update directory_export set expires_at = now() where client_uid = ${clientUid}`,
    rewrite('evacuee', 'refusal_detail'),
    rewrite('contradiction_kept', 'reason', mostOfReason),
    rewrite('self_report', 'said_name', reportLimits.name),
    rewrite('self_report', 'words', reportLimits.text),
    rewrite('self_report', 'who', reportLimits.who),
    rewrite('warden_assignment', 'declined_note'),
    sql`update waiting_change set wanted = ${without(sql`wanted::text`)}::jsonb
      where client_uid = ${clientUid} and wanted::text ~* ${pattern}`,
    sql`delete from simulated_mail where uid = any (${mails.rows.map((mail) => mail.uid)}::uuid[])`,
    sql`delete from idempotency where person_uid = ${uid}`,
    sql`update idempotency set reply = ${without(sql`reply::text`)}::jsonb
      where person_uid in ${people} and reply::text ~* ${pattern}`,
  )
}

/** Letters of a message (limits of `message` and `event`). */
const mostLetters = 130
/** Letters of the names of all who have a number. */
const mostOfNames = 200
/** Letters of the reason why a contradiction is kept. */
const mostOfReason = 200

/** True while a worker reads an upload of the organisation. Otherwise no check begins until the transaction ends. */
export async function holdUploads(tx: Tx, clientUid: ClientUid): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`
    select state from upload where client_uid = ${clientUid} and state in ('open', 'checking', 'checked')
    order by uid for update`.execute(tx)
  return rows.some(({ state }) => state === 'checking')
}

/** Uploads that were not applied go with their parts: the files may name the person. Of others the rows that do. */
export async function eraseUploads(tx: Tx, { clientUid, pattern }: Erasing): Promise<void> {
  const own = sql`client_uid = ${clientUid}`
  await run(
    tx,
    sql`update upload set state = 'dropped', stage = null where ${own} and state in ('open', 'checked')`,
    sql`update upload set result = jsonb_set(result, '{windows}', '[]') where ${own} and result -> 'windows' <> '[]'`,
    sql`delete from upload_part where ${own}`,
    // what is not known any more cannot be undone
    sql`with gone as (
        update upload_change set title = ${erased.whole}, cells = '[]', key = null
        where ${own} and (title ~* ${pattern} or cells::text ~* ${pattern}) returning upload_uid)
      update upload set has_keys = false where ${own} and uid in (select upload_uid from gone)`,
    sql`update upload_problem set reason = ${erased.whole}, cells = null
      where ${own} and (reason ~* ${pattern} or cells::text ~* ${pattern})`,
  )
}
