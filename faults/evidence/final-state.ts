import pg, { type ClientConfig } from 'pg'
import { type StatusCounts, safetyStatuses } from '#kernel/vocabulary.ts'

/** What the database holds at the end. Times are microseconds since 1970. */
export interface FinalState {
  /** The id of each organisation by its code. */
  clients: Record<string, string>
  /** The organisation that owns each id. */
  owners: Map<string, string>
  keys: { personUid: string; key: string; reply: Record<string, unknown> | null }[]
  journal: JournalRow[]
  events: { uid: string; siteUid: string; startedAt: number; endedAt: number | null }[]
  eventBuildings: { eventUid: string; buildingUid: string; active: boolean }[]
  evacuees: EvacueeRow[]
  tallies: ({ eventUid: string; placeUid: string } & Counts)[]
  texts: TextRow[]
}

export interface Counts extends StatusCounts {
  refusals: number
}
export interface JournalRow {
  position: number
  /** Transaction id: the offset of its publication. */
  xid: number
  clientUid: string
  eventUid: string | null
  actorPersonUid: string | null
  action: string
  subjectUid: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  observedAt: number | null
  recordedAt: number
  key: string | null
}
export interface EvacueeRow {
  clientUid: string
  eventUid: string
  personUid: string
  placeUid: string
  status: string
  onFloor: boolean
  refused: boolean
  active: boolean
}
export interface TextRow {
  uid: string
  eventUid: string | null
  kind: string
  to: string | null
  body: string
  status: string
  createdAt: number
  validUntil: number
}

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::float8`

const owned = [
  'person',
  'site',
  'building',
  'floor',
  'floor_status',
  'event_type',
  'event',
  'evacuee',
  'warden_sign_in',
]

const statements = {
  clients: 'select code, uid from client',
  owners: owned.map((table) => `select uid, client_uid as "clientUid" from ${table}`).join(' union all '),
  keys: 'select person_uid as "personUid", key, reply from idempotency',
  journal: `select position::float8, xid::text::float8 as xid, client_uid as "clientUid", event_uid as "eventUid",
    actor_person_uid as "actorPersonUid", action, subject_uid as "subjectUid", before, after,
    ${micros('observed_at')} as "observedAt", ${micros('recorded_at')} as "recordedAt", key
    from journal order by position`,
  events: `select uid, site_uid as "siteUid", ${micros('started_at')} as "startedAt", ${micros('ended_at')} as "endedAt" from event`,
  eventBuildings: 'select event_uid as "eventUid", building_uid as "buildingUid", active from event_building',
  evacuees: `select client_uid as "clientUid", event_uid as "eventUid", person_uid as "personUid", place_uid as "placeUid",
    status, on_floor as "onFloor", refused, active from evacuee`,
  tallies: `select event_uid as "eventUid", place_uid as "placeUid",
    ${[...safetyStatuses, 'refusals'].map((column) => `${column}::float8`).join(', ')} from tally`,
  texts: `select uid, event_uid as "eventUid", kind, to_mobile as "to", body, status, ${micros('created_at')} as "createdAt",
    ${micros('valid_until')} as "validUntil" from sms`,
}

/** Reads everything in one snapshot, directly from the database. */
export async function readFinalState(database: ClientConfig): Promise<FinalState> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const rows: Record<string, never[]> = {}
    for (const [name, statement] of Object.entries(statements))
      rows[name] = (await client.query(statement)).rows as never[]
    const { clients = [], owners = [], ...rest } = rows
    return {
      ...(rest as unknown as FinalState),
      clients: Object.fromEntries(clients.map(({ code, uid }) => [code, uid])),
      owners: new Map(owners.map(({ uid, clientUid }) => [uid, clientUid])),
    }
  } finally {
    await client.end()
  }
}
