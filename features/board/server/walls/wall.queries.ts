import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { WallLink } from '../../calls/walls.ts'

type Place = WallLink['place']

export interface WallRow {
  uid: string
  siteUid: SiteUid
  name: string
  place: Place
  by: string
  madeAt: Date
  expiresAt: Date
  seenAt: Date | null
}

/** The link `w` neither was ended nor is over. */
const isLive = sql`(w.ended_at is null and w.expires_at > now())`

/** Live links of the site, oldest first. */
export async function listWallRows(tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<WallRow[]> {
  const { rows } = await sql<WallRow>`
    select w.uid, w.site_uid, w.name, w.place, p.name as by, w.made_at, w.expires_at, w.seen_at
    from wall_link w
    join person p on p.client_uid = w.client_uid and p.uid = w.by_person_uid
    where w.client_uid = ${clientUid} and w.site_uid = ${siteUid} and ${isLive}
    order by w.made_at, w.uid`.execute(tx)
  return rows
}

/** Until the transaction ends no one else makes a link for the site. */
export async function lockWalls(tx: Tx, siteUid: SiteUid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`walls/${siteUid}`}, 0))`.execute(tx)
}

export async function countWalls(tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from wall_link w
    where w.client_uid = ${clientUid} and w.site_uid = ${siteUid} and ${isLive}`.execute(tx)
  return rows[0]?.count ?? 0
}

interface NewWall {
  uid: string
  clientUid: ClientUid
  siteUid: SiteUid
  name: string
  place: Place
  tokenHash: Buffer
  byPersonUid: PersonUid
  days: number
}

export async function insertWall(tx: Tx, { days, ...wall }: NewWall): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(days => ${days})`
  await tx
    .insertInto('wallLink')
    .values({ ...wall, expiresAt })
    .execute()
}

/** Live links of all organisations. */
export async function listLiveTokens(db: Db): Promise<{ uid: string; tokenHash: Buffer }[]> {
  const { rows } = await sql<{ uid: string; tokenHash: Buffer }>`
    select w.uid, w.token_hash from wall_link w where ${isLive}`.execute(db)
  return rows
}

/** The site of a link, ended or not. */
export async function findWallSite(tx: Tx, clientUid: ClientUid, uid: string): Promise<SiteUid | undefined> {
  const row = await tx
    .selectFrom('wallLink')
    .select('siteUid')
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return row?.siteUid
}

/** False if the link has been ended before. */
export async function endWallRow(tx: Tx, clientUid: ClientUid, uid: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('wallLink')
    .set({ endedAt: sql<Date>`now()` })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What a wall screen's token opens: its site's board, if there is an event. */
export interface Wall {
  uid: string
  clientUid: ClientUid
  place: Place
  siteName: string
  timezone: string
  eventUid: EventUid | null
  at: Date
  isSeenLongAgo: boolean
}

/** The wall of a live link. An unknown link, an ended one and one of a suspended organisation are the same. */
export async function findWall(db: Db, tokenHash: Buffer): Promise<Wall | undefined> {
  const { rows } = await sql<Wall>`
    select w.uid, w.client_uid, w.place, st.name as site_name, st.timezone, e.uid as event_uid, steady_now() as at,
      coalesce(w.seen_at < now() - interval '1 minute', true) as is_seen_long_ago
    from wall_link w
    join client c on c.uid = w.client_uid and c.active
    join site st on st.client_uid = w.client_uid and st.uid = w.site_uid
    left join event e on e.client_uid = w.client_uid and e.site_uid = w.site_uid and e.ended_at is null
    where w.token_hash = ${tokenHash} and ${isLive}`.execute(db)
  return rows[0]
}

/** Written once a minute at most, whatever node a screen asks. */
export async function noteSeen(db: Db, { clientUid, uid }: Pick<Wall, 'clientUid' | 'uid'>): Promise<void> {
  await sql`
    update wall_link set seen_at = now() where client_uid = ${clientUid} and uid = ${uid}
      and coalesce(seen_at < now() - interval '1 minute', true)`.execute(db)
}
