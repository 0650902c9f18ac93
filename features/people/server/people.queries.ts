import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { wordsOf } from '#kernel/name-fold.ts'
import { countedTo, type Span, spanned } from '#server/administrators/list-page.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { isIndexed, isNamed, namePatterns } from '#server/platform/db/name-search.ts'
import type { signInStates } from '../calls/people.ts'
import type { PeopleSearch } from './search.ts'

type Condition = RawBuilder<boolean>

const byName = [sql`p.last_name collate "und-x-icu"`, sql`p.first_name collate "und-x-icu"`, sql`p.uid`] as const

export interface PersonListRow {
  uid: PersonUid
  firstName: string
  lastName: string
  active: boolean
  kind: 'staff' | 'visitor'
  visitDate: string | null
  place: string | null
  groups: string[]
  roles: string[]
  email: string | null
  /** Digits with country code. */
  mobile: string | null
  /** What the row is sorted by beside the name. */
  sortValue: string
}

export interface Order {
  /** On `p`, a text that is never null. Null: by name alone. */
  by: RawBuilder<string> | null
  isDescending: boolean
}
const usual: Order = { by: null, isDescending: false }

/** The rows of a span in their order, which ends with last and first name. */
export async function listPage(tx: Tx, where: Condition, span: Span, { by, isDescending } = usual) {
  const isBackwards = span.isBackwards !== isDescending
  const columns = by ? [sql`(${by}) collate places`, ...byName] : byName
  const { condition, order } = spanned(columns, { ...span, isBackwards })
  const people = sql`
    select p.*, ${by ?? sql`''`} as sort_value from person p where ${where} and ${condition} ${order}`
  return listRows(tx, people, isBackwards)
}

async function listRows(tx: Tx, people: RawBuilder<unknown>, isBackwards: boolean): Promise<PersonListRow[]> {
  const direction = isBackwards ? sql`desc` : sql`asc`
  const order = [sql`p.sort_value collate places`, ...byName].map((column) => sql`${column} ${direction}`)
  const { rows } = await sql<PersonListRow>`
    select p.uid, p.first_name, p.last_name, p.active, p.kind, p.visit_date::text as visit_date, p.email, p.mobile,
      p.sort_value,
      coalesce(b.name || ' - ' || f.name, vb.name) as place,
      array(select g.name from people_group_member m
        join people_group g on g.client_uid = m.client_uid and g.uid = m.group_uid and g.active
        where m.client_uid = p.client_uid and m.person_uid = p.uid order by g.name) as groups,
      array(select distinct r.name from warden_assignment a
        join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
        join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
        where a.client_uid = p.client_uid and a.person_uid = p.uid and ${isHeld} order by r.name) as roles
    from (${people}) p
    left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
    left join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    left join building vb on vb.client_uid = p.client_uid and vb.uid = p.visiting_building_uid
    order by ${sql.join(order)}`.execute(tx)
  return rows
}

/** `a` warden_assignment with its site `st`: accepted and not past on the site's day. */
export const isHeld = sql<boolean>`(a.status = 'Accepted' and a.date_to >= (now() at time zone st.timezone)::date)`

/**
 * The people in whose name each word of the search stands, or whose code, e-mail or mobile it begins, at most `most`,
 * unordered. Each way has an index of its own: a condition over all of them would let the planner walk the table. Words of
 * one or two letters fit so many that the longest must begin a name.
 */
export async function searchPeople(tx: Tx, clientUid: ClientUid, where: Condition, search: PeopleSearch, most: number) {
  const { text, beginning, mobiles } = search
  const ways = [
    ...(text ? inName(clientUid, text) : []),
    ...(beginning ? [begins('code', beginning), begins('email', beginning)] : []),
    ...mobiles.map(beginsMobile),
  ]
  const branches = ways.map((way) => sql`(select p.uid from person p where ${way} and ${where} limit ${most})`)
  if (branches.length === 0) return []
  const { rows } = await sql<{ uid: PersonUid }>`${sql.join(branches, sql` union `)} limit ${most}`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/** Of these people the first by name, with their e-mail. */
export async function listCandidates(tx: Tx, clientUid: ClientUid, people: readonly PersonUid[], most: number) {
  const { rows } = await sql<Pick<PersonListRow, 'uid' | 'firstName' | 'lastName'> & { email: string | null }>`
    select p.uid, p.first_name, p.last_name, p.email from person p
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])
    order by ${sql.join(byName)} limit ${most}`.execute(tx)
  return rows
}

function inName(clientUid: ClientUid, text: string): Condition[] {
  const patterns = namePatterns(text)
  if (!patterns) return []
  if (isIndexed(patterns))
    return [sql<boolean>`p.uid in (select people_named(${clientUid}, ${patterns}::text[], null))`]
  const [longest = ''] = wordsOf(text).sort((one, other) => other.length - one.length)
  const fits = isNamed(sql`p.search_name`, text)
  return ['last_name', 'first_name'].map((column) => sql<boolean>`(${begins(column, longest)} and ${fits})`)
}

/**
 * The word, in small letters without accents, is the least text that begins with it, and U+FFFF sorts behind every letter:
 * what lies between begins with the word, in any case and with any accents.
 */
const begins = (column: string, word: string) => {
  const text = sql`p.${sql.ref(column)} collate "und-x-icu"`
  return sql<boolean>`(${text} >= ${word} and ${text} < ${`${word}\uffff`})`
}

const beginsMobile = (digits: string) =>
  sql<boolean>`(p.mobile collate "C" >= ${digits} and p.mobile collate "C" < ${`${digits}:`})`

/** Conditions of the filters, on `p`. */
export interface PeopleFilters {
  place?: string | undefined
  group?: GroupUid | undefined
  kind?: 'staff' | 'visitor' | undefined
  state?: 'inactive' | 'all' | undefined
  wardens?: 'yes' | undefined
  reach?: 'cannot' | undefined
  only?: readonly PersonUid[] | undefined
}

export function wherePeople(clientUid: ClientUid, isWithin: Within, filters: PeopleFilters): Condition {
  const { place, group, kind, state, wardens, reach, only } = filters
  const conditions = [
    sql`p.client_uid = ${clientUid}`,
    isWithin.person,
    ...(state === 'all' ? [] : [state === 'inactive' ? sql`not p.active` : sql`p.active`]),
    ...(kind ? [sql`p.kind = ${kind}`] : []),
    ...(place ? [atPlace(clientUid, place)] : []),
    ...(group
      ? [
          sql`p.uid in (select person_uid from people_group_member where client_uid = ${clientUid} and group_uid = ${group})`,
        ]
      : []),
    ...(wardens
      ? [
          sql`p.uid in (select a.person_uid from warden_assignment a
          join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
          where a.client_uid = ${clientUid} and ${isHeld})`,
        ]
      : []),
    ...(reach
      ? [sql`(p.email is null and (p.mobile is null or exists (select from sms_refusal x where x.mobile = p.mobile)))`]
      : []),
    ...(only ? [sql`p.uid = any (${only as PersonUid[]}::uuid[])`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Who has a floor there, or a visit. */
export function atPlace(clientUid: ClientUid, place: string): Condition {
  return sql`(${sql.join(partsOfPlace(clientUid, place), sql` or `)})`
}

/** The same in parts, each along an index of its own. No one is in two. */
function partsOfPlace(clientUid: ClientUid, place: string): Condition[] {
  if (place === 'none') return [sql`(p.active and p.kind = 'staff' and p.primary_floor_uid is null)`]
  const floors = sql`(select f.uid from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid} and ${place}::uuid in (f.uid, b.uid, b.site_uid))`
  return [
    sql`p.primary_floor_uid in ${floors}`,
    sql`(p.visiting_building_uid in (
        select b.uid from building b where b.client_uid = ${clientUid} and ${place}::uuid in (b.uid, b.site_uid))
      and (p.primary_floor_uid is null or p.primary_floor_uid not in ${floors}))`,
  ]
}

/** Exact to 10,000, else one more. */
export async function countPeople(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Within,
  { place, ...filters }: PeopleFilters,
): Promise<number> {
  const where = wherePeople(clientUid, isWithin, filters)
  const parts = place ? partsOfPlace(clientUid, place) : [sql`true`]
  const limit = countedTo + 1
  const found = parts.map((part) => sql`(select 1 from person p where ${where} and ${part} limit ${limit})`)
  const { rows } = await sql<{ count: number }>`
    select least(count(*), ${limit})::int as count from (${sql.join(found, sql` union all `)}) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/** At most `most` of them, in no order. */
export async function listUids(tx: Tx, where: Condition, most: number): Promise<PersonUid[]> {
  const { rows } = await sql<{ uid: PersonUid }>`select p.uid from person p where ${where} limit ${most}`.execute(tx)
  return rows.map(({ uid }) => uid)
}

export interface SignInRow {
  uid: PersonUid
  state: (typeof signInStates)[number]
}

/** How these people stand with signing in. Accounts are seen by the system's role alone. */
export async function listSignInStates(
  system: Db,
  clientUid: ClientUid,
  people: readonly PersonUid[],
  hasTexts: boolean,
): Promise<SignInRow[]> {
  const { rows } = await sql<SignInRow>`
    select p.uid, case when not (${asksForSignIn}) then 'none' when ${canSignIn(hasTexts)} then 'ready'
        when ${isInvited} then 'invited' else 'cannot' end as state
    from person p left join account ac on ac.uid = p.account_uid and ac.active
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])`.execute(system)
  return rows
}

/** Active wardens and administrators who have no way to sign in, at most `most`. */
export async function listWithoutSignIn(system: Db, clientUid: ClientUid, hasTexts: boolean, most: number) {
  const { rows } = await sql<{ uid: PersonUid }>`
    select p.uid from person p left join account ac on ac.uid = p.account_uid and ac.active
    where p.client_uid = ${clientUid} and p.active and p.uid in (
        select a.person_uid from warden_assignment a where a.client_uid = ${clientUid} and ${isOpen}
        union select g.person_uid from administrator g where g.client_uid = ${clientUid} and g.revoked_at is null)
      and not coalesce(${canSignIn(hasTexts)}, false)
    limit ${most}`.execute(system)
  return rows.map(({ uid }) => uid)
}

/** `a` warden_assignment: offered or accepted, and not past in any zone. */
export const isOpen = sql<boolean>`(a.status in ('Offered', 'Accepted') and a.date_to >= current_date - 1)`

const asksForSignIn = sql<boolean>`p.active and (
  exists (select from warden_assignment a where a.client_uid = p.client_uid and a.person_uid = p.uid and ${isOpen})
  or exists (select from administrator g
    where g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null))`

const canSignIn = (hasTexts: boolean) => sql<boolean>`(ac.uid is not null and (
  (ac.password_hash is not null and coalesce(ac.email, ac.username) is not null)
  or (${hasTexts} and ac.mobile is not null)))`

const isInvited = sql<boolean>`exists (select from invitation i where i.client_uid = p.client_uid and i.person_uid = p.uid
  and i.used_at is null and i.voided_at is null and i.expires_at > now())`

/** Country of the organisation: it completes national numbers. */
export async function findCountry(tx: Tx, clientUid: ClientUid): Promise<string> {
  const { country } = await tx
    .selectFrom('client')
    .select('country')
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
  return country
}

interface ChoicesRow {
  sites: { uid: SiteUid; name: string }[]
  buildings: { uid: BuildingUid; name: string; site: SiteUid }[]
  groups: { uid: GroupUid; name: string }[]
}

/** Sites and buildings in use, and groups, within reach. A group's administrator sees that group only. */
export async function findChoices(tx: Tx, clientUid: ClientUid, isWithin: Within): Promise<ChoicesRow> {
  const { rows: sites } = await sql<ChoicesRow['sites'][number]>`
    select st.uid, st.name from site st
    where st.client_uid = ${clientUid} and st.retired_at is null and ${isWithin.site}
    order by st.name, st.uid`.execute(tx)
  const { rows: buildings } = await sql<ChoicesRow['buildings'][number]>`
    select b.uid, b.name, b.site_uid as site from building b
    where b.client_uid = ${clientUid} and b.retired_at is null and ${isWithin.building}
    order by b.name, b.uid`.execute(tx)
  const { rows: groups } = await sql<ChoicesRow['groups'][number]>`
    select gr.uid, gr.name from people_group gr
    where gr.client_uid = ${clientUid} and gr.active and ${isWithin.group}
    order by gr.name collate "und-x-icu", gr.uid`.execute(tx)
  return { sites, buildings, groups }
}
