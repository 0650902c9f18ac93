import { type RawBuilder, sql } from 'kysely'
import type { ExportFormat, ExportNames } from '#features/records/kinds.ts'
import type { Reach } from '#features/records/server/record-access.service.ts'
import type { AdministratorUid, AssignmentUid, ClientUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { RecordExport } from '../calls.ts'
import { mostSeconds } from './export-task.ts'

/** So many seconds after the end of its time another worker takes an export that was begun: its process is gone. */
const graceSeconds = 60
/** A process that ended with the machine was not too large. Twice is. */
const mostAttempts = 3

export interface ExportRow {
  uid: string
  clientUid: ClientUid
  state: RecordExport['state']
  progress: number
  message: string | null
  fileName: string | null
  storageKey: string | null
}
const columns = sql`uid, client_uid, state, progress, message, file_name, storage_key`

/** Who asked for an export: someone by their assignment or by their grant, with what they reach by it. */
export interface Asker {
  clientUid: ClientUid
  personUid: PersonUid
  assignmentUid: AssignmentUid | null
  administratorUid: AdministratorUid | null
  reach: Reach
}

interface Asked extends Asker {
  eventUid: EventUid
  signInUid: SignInUid | null
  sessionUid: string | null
  format: ExportFormat
  names: ExportNames
}

/** True for an export that was asked for by the same assignment or grant with the same reach. */
const isOf = ({ clientUid, personUid, assignmentUid, administratorUid, reach }: Asker) => sql`
  (client_uid, person_uid) = (${clientUid}, ${personUid}) and assignment_uid is not distinct from ${assignmentUid}
  and administrator_uid is not distinct from ${administratorUid} and reach = ${JSON.stringify(reach)}`

/** The same export that is being made already is not made twice. */
export async function insertExport(tx: Tx, asked: Asked): Promise<ExportRow> {
  const { clientUid, eventUid, personUid, assignmentUid, administratorUid, signInUid, sessionUid, format, names } =
    asked
  const { rows } = await sql<ExportRow>`
    insert into record_export (client_uid, event_uid, person_uid, assignment_uid, administrator_uid, sign_in_uid, session_uid,
      format, names, reach)
    values (${clientUid}, ${eventUid}, ${personUid}, ${assignmentUid}, ${administratorUid}, ${signInUid}, ${sessionUid},
      ${format}, ${names}, ${JSON.stringify(asked.reach)})
    on conflict (client_uid, event_uid, person_uid, assignment_uid, administrator_uid, format, names, md5(reach::text))
      where state = 'making' do nothing
    returning ${columns}`.execute(tx)
  const [row] = rows.length > 0 ? rows : await listMaking(tx, asked)
  // it may have become ready between the two statements: the caller's retry makes a new one
  if (!row) throw new Error('The export has just ended.')
  return row
}

async function listMaking(tx: Tx, asked: Asked): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    select ${columns} from record_export
    where (event_uid, format, names) = (${asked.eventUid}, ${asked.format}, ${asked.names}) and ${isOf(asked)}
    order by asked_at desc limit 1`.execute(tx)
  return rows
}

/** An export that was asked for by the same assignment or grant with the same reach. */
export const findOwnExport = (tx: Tx, asker: Asker, uid: string) =>
  findExport<ExportRow>(tx, columns, sql`uid = ${uid} and ${isOf(asker)}`)

/** An export whose link was signed here, with who asked for it. */
export const findLinkedExport = (system: Db, uid: string) =>
  findExport<ExportRow & Asker>(
    system,
    sql`${columns}, person_uid, assignment_uid, administrator_uid, reach`,
    sql`uid = ${uid}`,
  )

async function findExport<Row>(db: Db, shown: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  const { rows } = await sql<Row>`
    select ${shown} from record_export where ${condition} and expires_at > now()`.execute(db)
  return rows[0]
}

export interface DueExport extends Asked {
  uid: string
  number: number
  kind: 'live' | 'drill'
}

/** The oldest export that is due, for this worker alone. */
export async function claimExport(system: Db): Promise<DueExport | undefined> {
  const { rows } = await sql<DueExport>`
    update record_export x set attempts = x.attempts + 1, next_try_at = now() + 
        make_interval(secs => ${graceSeconds} + (${JSON.stringify(mostSeconds)}::jsonb ->> x.format)::int)
    from event_record r
    where r.client_uid = x.client_uid and r.event_uid = x.event_uid and (x.client_uid, x.uid) = (
      select client_uid, uid from record_export
      where state = 'making' and next_try_at <= now() and expires_at > now() and attempts < ${mostAttempts}
      order by asked_at limit 1 for update skip locked)
    returning x.uid, x.client_uid, x.event_uid, x.person_uid, x.sign_in_uid, x.session_uid, x.format, x.names, x.reach,
      r.number, r.kind`.execute(system)
  return rows[0]
}

interface OfExport {
  clientUid: ClientUid
  uid: string
}
const isExport = ({ clientUid, uid }: OfExport) => sql`(client_uid, uid) = (${clientUid}, ${uid})`

export async function noteProgress(system: Db, of: OfExport, progress: number): Promise<void> {
  await sql`update record_export set progress = ${progress} where ${isExport(of)} and state = 'making'`.execute(system)
}

/** Without a message it is tried again, at most three times in all. */
export async function noteFailed(system: Db, of: OfExport, message: string | null): Promise<void> {
  await sql`
    update record_export set message = ${message}, progress = 0, next_try_at = now(),
      state = case when ${message}::text is null and attempts < ${mostAttempts} then 'making' else 'failed' end
    where ${isExport(of)} and state = 'making'`.execute(system)
}

/** Tried each second until the whole log is sealed, for ten minutes at most. That counts as no attempt. */
export async function noteWaits(system: Db, of: OfExport): Promise<void> {
  await sql`
    update record_export set progress = 0, attempts = attempts - 1, next_try_at = now() + interval '1 second',
      state = case when ${isOverdue} then 'failed' else 'making' end,
      message = case when ${isOverdue} then ${notSealed} end
    where ${isExport(of)} and state = 'making'`.execute(system)
}
const isOverdue = sql`asked_at < now() - interval '10 minutes'`
const notSealed = 'A long change holds the log of this record back. Ask for the bundle again later.'

/** False if another worker has ended it meanwhile. */
export async function noteReady(
  tx: Tx,
  of: OfExport,
  { fileName, storageKey }: { fileName: string; storageKey: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update record_export set state = 'ready', progress = 100, file_name = ${fileName}, storage_key = ${storageKey}
    where ${isExport(of)} and state = 'making'`.execute(tx)
  return numAffectedRows === 1n
}

/** Those whose day is over. */
export async function listExpired(system: Db): Promise<(OfExport & { format: ExportFormat })[]> {
  const { rows } = await sql<OfExport & { format: ExportFormat }>`
    select client_uid, uid, format from record_export where expires_at <= now() limit 1000`.execute(system)
  return rows
}

export async function deleteExport(system: Db, of: OfExport): Promise<void> {
  await sql`delete from record_export where ${isExport(of)}`.execute(system)
}
