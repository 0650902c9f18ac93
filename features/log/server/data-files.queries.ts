import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { hashLength } from './merkle.ts'
import type { LogOf } from './sealing.queries.ts'

/** What a log keeps in lines of its own: people as they joined, the rest as it was at the closing. */
export const dataFiles = ['people', 'ends', 'texts', 'messages', 'record'] as const
export type DataFile = (typeof dataFiles)[number]
/** What is read from tables of the event at the closing. */
export type ClosingFile = 'ends' | 'texts' | 'messages'

/** A line before it is salted: an object as JSON, which PostgreSQL writes. */
export interface DataRow {
  line: string
}

const utc = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const personOf = (person: string, signIn: string) => sql`
  left join warden_sign_in ${sql.ref(`${person}_in`)} on ${sql.ref(`${person}_in.client_uid`)} = x.client_uid
    and ${sql.ref(`${person}_in.uid`)} = ${sql.ref(signIn)}
  left join person ${sql.ref(person)} on ${sql.ref(`${person}.client_uid`)} = x.client_uid
    and ${sql.ref(`${person}.uid`)} = ${sql.ref(`${person}_in.person_uid`)}`
const evacueeOf = (uid: RawBuilder<unknown>) => sql`
  left join evacuee v on v.client_uid = x.client_uid and v.uid = ${uid}
  left join person p on p.client_uid = x.client_uid and p.uid = v.person_uid`
const inEvent = ({ clientUid, eventUid }: LogOf) => sql`(x.client_uid, x.event_uid) = (${clientUid}, ${eventUid})`

/** How it ended for everyone who was to be accounted for, without names. Never a plan. */
const ends = (of: LogOf) => sql`
  select json_build_object('evacuee', x.uid, 'building', x.building_uid, 'floor', x.floor_uid,
      'status', x.status, 'status_at', ${utc('x.status_at')}, 'status_observed_at', ${utc('x.status_observed_at')},
      'status_by', x.status_by_person_uid, 'refused', x.refused,
      'drill_status', x.drill_status, 'drill_status_at', ${utc('x.drill_status_at')},
      'removed_at', ${utc('x.removed_at')}, 'left_with', x.left_with)::text as line
  from evacuee x where ${inEvent(of)} order by x.uid`

const texts = (of: LogOf) => sql`
  select json_build_object('text', x.uid, 'kind', x.kind, 'person', p.uid, 'name', p.name, 'sign_in', x.sign_in_uid,
      'building', v.building_uid, 'floor', v.floor_uid, 'prefix', x.prefix, 'body', x.body, 'status', x.status,
      'reason', x.reason, 'gateway', x.gateway, 'segments', x.segments, 'written_at', ${utc('x.created_at')},
      'changed_at', ${utc('x.changed_at')})::text as line
  from sms x
  left join warden_sign_in w on w.client_uid = x.client_uid and w.uid = x.sign_in_uid
  left join person p on p.client_uid = x.client_uid and p.uid = coalesce(x.person_uid, w.person_uid)
  left join evacuee v on v.client_uid = x.client_uid and v.event_uid = x.event_uid and v.person_uid = x.person_uid
  where ${inEvent(of)} order by x.created_at, x.uid`

const messages = (of: LogOf) => sql`
  select json_build_object('message', x.seq, 'kind', x.kind, 'direction', x.direction,
      'sender', sender.uid, 'sender_name', sender.name, 'recipient', recipient.uid,
      'recipient_name', recipient.name, 'evacuee', v.uid, 'person', p.uid, 'name', p.name,
      'building', v.building_uid, 'floor', v.floor_uid, 'text', x.text, 'recorded', x.recorded,
      'automated', x.automated_response, 'written_at', ${utc('x.written_at')}, 'recorded_at', ${utc('x.created_at')},
      'read_at', ${utc('x.read_at')})::text as line
  from message x ${personOf('sender', 'x.sender_sign_in_uid')} ${personOf('recipient', 'x.recipient_sign_in_uid')}
  ${evacueeOf(sql`x.evacuee_uid`)}
  where ${inEvent(of)} order by x.seq`

const rowsOf: Record<ClosingFile, (of: LogOf) => RawBuilder<unknown>> = { ends, texts, messages }

/** The beginning of the transaction. */
export async function readNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(tx)
  return (rows[0] as { now: Date }).now
}

/** All rows of a file in pages, by a cursor of this transaction. The next page is read while the last one is worked on. */
export async function* readRows(tx: Tx, of: LogOf, file: ClosingFile, most: number): AsyncGenerator<DataRow[]> {
  await sql`declare data_file no scroll cursor for ${rowsOf[file](of)}`.execute(tx)
  const fetch = (): Promise<{ rows: DataRow[] }> => {
    const page = sql<DataRow>`fetch ${sql.lit(most)} from data_file`.execute(tx)
    page.catch(() => {}) // anyone who asks for the page gets its error
    return page
  }
  for (let next: Promise<{ rows: DataRow[] }> | null = fetch(); next; ) {
    const { rows }: { rows: DataRow[] } = await next
    next = rows.length < most ? null : fetch()
    if (rows.length > 0) yield rows
  }
  await sql`close data_file`.execute(tx)
}

/** Up to 256 lines of a data file. */
export interface PackedTile {
  idx: number
  keys: number[]
  commits: Buffer
  /** The lines, packed. */
  lines: Buffer
}

export async function saveTiles(tx: Tx, of: LogOf, file: DataFile, tiles: readonly PackedTile[]): Promise<void> {
  await tx
    .insertInto('logTile')
    .values(tiles.map((tile) => ({ ...of, file, ...tile })))
    .execute()
}

/** Lines of a file as it is kept, and the SHA-256 of their commits in hexadecimal digits. */
export async function digestOf(db: Db, of: LogOf, file: DataFile): Promise<{ lines: number; sha256: string }> {
  const { rows } = await sql<{ bytes: number; sha256: string }>`
    select length(commits) as bytes, encode(sha256(commits), 'hex') as sha256
    from (select coalesce(string_agg(commits, '' order by idx), '') as commits from log_tile
      where (client_uid, event_uid, file) = (${of.clientUid}, ${of.eventUid}, ${file})) as whole`.execute(db)
  const [whole] = rows
  return { lines: (whole?.bytes ?? 0) / hashLength, sha256: whole?.sha256 ?? '' }
}

/** Tiles of a data file, without lines where these are erased. */
export async function* readTiles(
  db: Db,
  of: LogOf,
  file: DataFile,
): AsyncGenerator<{ commits: Buffer; lines: Buffer | null }> {
  for (let from = 0; ; from += 32) {
    const tiles = await db
      .selectFrom('logTile')
      .select(['commits', 'lines'])
      .where('clientUid', '=', of.clientUid)
      .where('eventUid', '=', of.eventUid)
      .where('file', '=', file)
      .where('idx', '>=', from)
      .where('idx', '<', from + 32)
      .orderBy('idx')
      .execute()
    yield* tiles
    if (tiles.length < 32) return
  }
}
