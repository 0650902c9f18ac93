import { sql } from 'kysely'
import type { ClientUid, EventUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { ReaderKind } from '../kinds.ts'

/** Hours that a pack opens after the end of its event `e`. */
const endsAt = sql<Date>`least(p.expires_at, p.ended_at, e.ended_at + interval '2 hours')`
const isLive = sql<boolean>`(${endsAt} > now())`

export interface PackRow {
  uid: string
  by: string
  madeAt: Date
  endsAt: Date
  ended: boolean
  plans: boolean
}

/** Packs of the event, newest first. */
export async function listPackRows(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<PackRow[]> {
  const { rows } = await sql<PackRow>`
    select p.uid, w.name as by, p.made_at, ${endsAt} as ends_at, not ${isLive} as ended, p.plans
    from arrival_pack p
    join event e on e.client_uid = p.client_uid and e.uid = p.event_uid
    join warden_sign_in si on si.client_uid = p.client_uid and si.uid = p.by_sign_in_uid
    join person w on w.client_uid = si.client_uid and w.uid = si.person_uid
    where p.client_uid = ${clientUid} and p.event_uid = ${eventUid}
    order by p.made_at desc, p.uid limit 50`.execute(tx)
  return rows
}

export interface ReaderRow {
  packUid: string
  kind: ReaderKind
  name: string
  network: string
  agent: string
  firstAt: Date
  lastAt: Date
  times: number
}

/** Readers of all packs of the event, newest first; behind them those who gave way. */
export async function listReaderRows(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<ReaderRow[]> {
  const { rows } = await sql<ReaderRow>`
    select r.pack_uid, r.kind, r.name, r.network, r.agent, r.first_at, r.last_at, r.times
    from arrival_pack_reader r
    join arrival_pack p on p.client_uid = r.client_uid and p.uid = r.pack_uid
    where p.client_uid = ${clientUid} and p.event_uid = ${eventUid}
    order by r.gave_way_at is not null, r.first_at desc limit 200`.execute(tx)
  return rows
}

export async function countLivePacks(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from arrival_pack p
    join event e on e.client_uid = p.client_uid and e.uid = p.event_uid
    where p.client_uid = ${clientUid} and p.event_uid = ${eventUid} and ${isLive}`.execute(tx)
  return rows[0]?.count ?? 0
}

interface NewPack {
  uid: string
  clientUid: ClientUid
  eventUid: EventUid
  tokenHash: Buffer
  bySignInUid: SignInUid
  hours: number
  plans: boolean
}

/** Returns when it ends. */
export async function insertPack(tx: Tx, { hours, ...pack }: NewPack): Promise<Date> {
  const { expiresAt } = await tx
    .insertInto('arrivalPack')
    .values({ ...pack, expiresAt: sql<Date>`now() + make_interval(hours => ${hours})` })
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  return expiresAt
}

/** Undefined if the event has no such pack. `ended` is false for one that was over before. */
export async function endPackRow(
  tx: Tx,
  { clientUid, eventUid, uid }: { clientUid: ClientUid; eventUid: EventUid; uid: string },
): Promise<{ ended: boolean } | undefined> {
  const { rows } = await sql<{ ended: boolean }>`
    with of_event as (
      select client_uid, uid from arrival_pack where client_uid = ${clientUid} and event_uid = ${eventUid} and uid = ${uid}
    ), ended as (
      update arrival_pack p set ended_at = now() from of_event o
      where p.client_uid = o.client_uid and p.uid = o.uid and p.ended_at is null returning p.uid
    )
    select exists (select from ended) as ended from of_event`.execute(tx)
  return rows[0]
}

export interface OpenPack {
  clientUid: ClientUid
  uid: string
  eventUid: EventUid
  plans: boolean
  endsAt: Date
  /** Whether the reader of this address is one of its own. */
  isReader: boolean
}

/** A pack that has not ended, of an organisation in use. An unknown one and an ended one are the same. */
export async function findOpenPack(
  db: Db,
  tokenHash: Buffer,
  readerHash: Buffer | null = null,
): Promise<OpenPack | undefined> {
  const { rows } = await sql<OpenPack>`
    select p.client_uid, p.uid, p.event_uid, p.plans, ${endsAt} as ends_at, r.pack_uid is not null as is_reader
    from arrival_pack p
    join client c on c.uid = p.client_uid and c.active
    join event e on e.client_uid = p.client_uid and e.uid = p.event_uid
    left join arrival_pack_reader r on r.client_uid = p.client_uid and r.pack_uid = p.uid and r.reader_hash = ${readerHash}
      and r.gave_way_at is null
    where p.token_hash = ${tokenHash} and ${isLive}`.execute(db)
  return rows[0]
}

interface NewReader {
  clientUid: ClientUid
  packUid: string
  readerHash: Buffer
  kind: ReaderKind
  name: string
  network: string
  home: Buffer | null
  agent: string
}

/** Readers of a pack come one by one until the commit. */
export async function lockReaders(tx: Tx, packUid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pack/${packUid}`}, 0))`.execute(tx)
}

export interface ReadersNow {
  all: number
  ofHome: number
  /** The reader of this hash is one of them: their form was sent before. */
  isKnown: boolean
}

/** Readers with a place of their own. */
export async function countReaders(tx: Tx, { clientUid, packUid, readerHash, home }: NewReader): Promise<ReadersNow> {
  const { rows } = await sql<ReadersNow>`
    select count(*)::int as all, (count(*) filter (where home = ${home}))::int as of_home,
      coalesce(bool_or(reader_hash = ${readerHash}), false) as is_known
    from arrival_pack_reader
    where client_uid = ${clientUid} and pack_uid = ${packUid} and kind = 'own' and gave_way_at is null`.execute(tx)
  return rows[0] as ReadersNow
}

/** Of the readers without a name who have not read for 10 min the one who has not for the longest gives way. False: there is none. */
export async function letOneGiveWay(
  tx: Tx,
  { clientUid, packUid, home }: NewReader,
  { ofHome }: { ofHome: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update arrival_pack_reader set gave_way_at = now()
    where client_uid = ${clientUid} and pack_uid = ${packUid} and reader_hash = (
      select reader_hash from arrival_pack_reader
      where client_uid = ${clientUid} and pack_uid = ${packUid} and kind = 'own' and gave_way_at is null and name = ''
        and last_at < now() - interval '10 minutes' and (not ${ofHome} or home = ${home})
      order by last_at, reader_hash limit 1)
    returning 1`.execute(tx)
  return rows.length > 0
}

/** A reader who gave way comes back. False: they were there. */
export async function addReader(tx: Tx, reader: NewReader): Promise<boolean> {
  const rows = await tx
    .insertInto('arrivalPackReader')
    .values({ ...reader, times: 0 })
    .onConflict((oc) =>
      oc
        .columns(['clientUid', 'packUid', 'readerHash'])
        .doUpdateSet({ gaveWayAt: null, lastAt: sql`now()` })
        .where('arrivalPackReader.gaveWayAt', 'is not', null),
    )
    .returning('times')
    .execute()
  return rows.length > 0
}

export async function countReading(tx: Tx, { clientUid, uid }: OpenPack, readerHash: Buffer): Promise<void> {
  await sql`
    update arrival_pack_reader set last_at = now(), times = times + 1
    where client_uid = ${clientUid} and pack_uid = ${uid} and reader_hash = ${readerHash}`.execute(tx)
}
