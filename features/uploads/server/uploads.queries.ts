import { type RawBuilder, sql } from 'kysely'
import type { Hint, LeftOutOf } from '#features/directory/server/tables/bring-in.service.ts'
import { type UploadKind, type UploadState, uploadLimits } from '#kernel/console-kinds.ts'
import type { AdministratorUid, ClientUid, GroupUid, PersonUid, UploadUid } from '#kernel/ids.ts'
import { countedTo, type Span, spanned } from '#server/administrators/list-page.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { Mapping } from '../calls.ts'

export interface GivenFile {
  file: string
  parts: number
}
export interface UploadOptions {
  /** A code was given when it was handed over, and when it was taken back. */
  confirmed?: boolean
  undoConfirmed?: boolean
  files?: GivenFile[]
  endMissing?: boolean
  /** people.csv has other headings. */
  mapping?: Mapping
  /** Codes of new people by line, from when they are applied until they are in. */
  made?: [line: number, code: string][]
  /** Of an act on a group. */
  group?: GroupUid
  /** The group of the administrator, to which its new people are added. */
  joins?: GroupUid | undefined
}
export interface LeftOut {
  file: string
  reason: string
}
/** What a check has found. */
export interface UploadResult {
  files: { file: string; added: number; changed: number; ended: number; left: number }[]
  ends: Record<'people' | 'assignments', { number: number; of: number }>
  mustType: number | null
  /** A row needs a code of who applies it, or takes it back. */
  asksCode?: boolean
  windows: { file: string; samples: string[] }[]
  /** Rows that are left out, by file, and how many others there are. */
  rows?: { leftOut: LeftOutOf[]; others: number }
  /** Staff who get no floor, or lose theirs. */
  withoutFloor?: number
  /** Cells that are read otherwise than they may be meant. */
  hints?: Hint[]
}

export interface UploadRecord {
  clientUid: ClientUid
  uid: UploadUid
  state: UploadState
  kind: UploadKind
  byPersonUid: PersonUid
  administratorUid: AdministratorUid
  by: string
  options: UploadOptions
  leftOut: LeftOut[]
  result: UploadResult | null
  problems: number
  changes: number
  digest: Buffer | null
  stage: string | null
  done: number
  total: number
  notice: string | null
  createdAt: Date
  begunAt: Date | null
  appliedAt: Date | null
  undoneAt: Date | null
  undoingAdministratorUid: AdministratorUid | null
  undoneByPersonUid: PersonUid | null
  /** Until when it can be undone: the last applied one. */
  undoUntil: Date | null
}

/** Without it the rows of the upload cannot be found again: they are older than the undo. */
const undoUntil = sql`
    case when u.state = 'applied' and u.has_keys and u.applied_at > now() - make_interval(days => ${uploadLimits.undoDays})
        and not exists (select from upload later where later.client_uid = u.client_uid and later.state = 'applied'
          and (later.applied_at, later.uid) > (u.applied_at, u.uid))
      then u.applied_at + make_interval(days => ${uploadLimits.undoDays}) end`

const selected = sql`
  select u.client_uid, u.uid, u.state, u.by_person_uid, u.administrator_uid, u.options, u.left_out, u.result, u.problems,
    u.changes, u.digest, u.stage, u.done, u.total, u.notice, u.created_at, u.begun_at, u.applied_at, u.kind, u.undone_at,
    u.undoing_administrator_uid, u.undone_by_person_uid, ${undoUntil} as undo_until,
    p.name as by
  from upload u join person p on p.client_uid = u.client_uid and p.uid = u.by_person_uid`

/** Those whom the upload concerns: everyone in the whole organisation, else who has brought it in. */
export type Sees = RawBuilder<boolean>

/** The newest first, behind the place of the span. */
export async function listPage(tx: Tx, clientUid: ClientUid, sees: Sees, span: Span): Promise<UploadRecord[]> {
  const { condition, order } = spanned([sql`u.created_at`, sql`u.uid`], { ...span, isBackwards: !span.isBackwards })
  const { rows } = await sql<UploadRecord>`
    ${selected} where u.client_uid = ${clientUid} and ${sees} and ${condition} ${order}`.execute(tx)
  return rows
}

export async function countUploads(tx: Tx, clientUid: ClientUid, sees: Sees): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from upload u where u.client_uid = ${clientUid} and ${sees} limit ${countedTo + 1}) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findUpload(db: Db, clientUid: ClientUid, uid: UploadUid, sees: Sees = sql`true`) {
  const { rows } = await sql<UploadRecord>`
    ${selected} where u.client_uid = ${clientUid} and u.uid = ${uid} and ${sees}`.execute(db)
  return rows[0]
}

/** The same, locked until the transaction ends. */
export async function holdUpload(tx: Tx, clientUid: ClientUid, uid: UploadUid, sees: Sees) {
  const { rows } = await sql<UploadRecord>`
    ${selected} where u.client_uid = ${clientUid} and u.uid = ${uid} and ${sees} for update of u`.execute(tx)
  return rows[0]
}

export async function insertUpload(
  tx: Tx,
  values: Pick<UploadRecord, 'clientUid' | 'administratorUid' | 'byPersonUid' | 'kind'>,
): Promise<UploadUid> {
  const { uid } = await tx.insertInto('upload').values(values).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** An upload that nothing refers to. */
export async function deleteUpload(tx: Tx, { clientUid, uid }: UploadKey): Promise<void> {
  await tx.deleteFrom('upload').where('clientUid', '=', clientUid).where('uid', '=', uid).execute()
}

/** Uploads of the person that keep their files. Call after `listOpenOf`. */
export async function countKept(tx: Tx, clientUid: ClientUid, byPersonUid: PersonUid): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from upload
    where client_uid = ${clientUid} and by_person_uid = ${byPersonUid} and state in ('open', 'checking', 'checked')`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Uploads of the person that were never checked, or failed the check. Keeps others of the person from being opened until the transaction ends. */
export async function listOpenOf(tx: Tx, clientUid: ClientUid, byPersonUid: PersonUid): Promise<UploadUid[]> {
  await sql`select pg_advisory_xact_lock(hashtext('evac open upload'), hashtext(${byPersonUid}))`.execute(tx)
  const rows = await tx
    .selectFrom('upload')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('byPersonUid', '=', byPersonUid)
    .where((eb) => eb.or([eb('state', '=', 'open'), eb.and([eb('state', '=', 'checked'), eb('problems', '>', 0)])]))
    .forUpdate()
    .execute()
  return rows.map(({ uid }) => uid)
}

export interface UploadKey {
  clientUid: ClientUid
  uid: UploadUid
}

export interface UploadValues
  extends Omit<
    UploadRecord,
    'clientUid' | 'uid' | 'byPersonUid' | 'administratorUid' | 'by' | 'createdAt' | 'kind' | 'undoUntil'
  > {
  attempts: number
  hasKeys: boolean
  checkedAt: Date
}

export async function updateUpload(db: Db, { clientUid, uid }: UploadKey, values: Partial<UploadValues>) {
  const { options, leftOut, result, ...plain } = values
  await db
    .updateTable('upload')
    .set({
      ...plain,
      ...(options && { options: JSON.stringify(options) }),
      ...(leftOut && { leftOut: JSON.stringify(leftOut) }),
      ...(result && { result: JSON.stringify(result) }),
    })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .execute()
}

/** Replaces the part if it has come before. */
export async function keepPart(
  tx: Tx,
  { clientUid, uid }: UploadKey,
  { file, nth, content }: { file: string; nth: number; content: Buffer },
): Promise<void> {
  await tx
    .insertInto('uploadPart')
    .values({ clientUid, uploadUid: uid, file, nth, content, bytes: content.length })
    .onConflict((on) =>
      on
        .columns(['clientUid', 'uploadUid', 'file', 'nth'])
        .doUpdateSet({ content, bytes: content.length, addedAt: sql`now()` }),
    )
    .execute()
}

/** Bytes of the organisation's parts. Keeps others from adding any until the transaction ends. */
export async function countBytes(tx: Tx, clientUid: ClientUid): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('evac upload parts'), hashtext(${clientUid}))`.execute(tx)
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from upload_part where client_uid = ${clientUid}`.execute(tx)
  return rows[0]?.bytes ?? 0
}

export interface KeptFile {
  file: string
  bytes: number
  /** Numbers of the parts. */
  parts: number[]
}

export async function listKept(db: Db, { clientUid, uid }: UploadKey): Promise<KeptFile[]> {
  const { rows } = await sql<KeptFile>`
    select file, sum(bytes)::bigint as bytes, array_agg(nth order by nth) as parts from upload_part
    where client_uid = ${clientUid} and upload_uid = ${uid} group by file order by file`.execute(db)
  return rows
}

export async function readPart(db: Db, { clientUid, uid }: UploadKey, file: string, nth: number): Promise<Buffer> {
  const { content } = await db
    .selectFrom('uploadPart')
    .select('content')
    .where('clientUid', '=', clientUid)
    .where('uploadUid', '=', uid)
    .where('file', '=', file)
    .where('nth', '=', nth)
    .executeTakeFirstOrThrow()
  return content
}

export async function deleteParts(db: Db, { clientUid, uid }: UploadKey): Promise<void> {
  await db.deleteFrom('uploadPart').where('clientUid', '=', clientUid).where('uploadUid', '=', uid).execute()
}

/** Parts older than so many hours go, and uploads that wait for someone go with them. Across organisations. */
export async function dropOld(system: Db, hours: number): Promise<void> {
  const old = sql`now() - make_interval(hours => ${hours})`
  await sql`update upload set state = 'dropped' where state in ('open', 'checked') and created_at < ${old}`.execute(
    system,
  )
  await sql`delete from upload_part where added_at < ${old}`.execute(system)
}

/** Work for a worker, the oldest first. Across organisations. */
export async function listDue(system: Db): Promise<UploadKey[]> {
  const { rows } = await sql<UploadKey>`
    select client_uid, uid from upload where state in ('checking', 'applying', 'undoing') order by created_at limit 100`.execute(
    system,
  )
  return rows
}

/** Lets one worker at a time work on an upload. False if another one does. Held by the session until `releaseWork`. */
export async function claimWork(session: Db, { uid }: UploadKey): Promise<boolean> {
  const { rows } = await sql<{ isClaimed: boolean }>`
    select pg_try_advisory_lock(hashtext('evac upload'), hashtext(${uid})) as is_claimed`.execute(session)
  return rows[0]?.isClaimed ?? false
}

export async function releaseWork(session: Db, { uid }: UploadKey): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext('evac upload'), hashtext(${uid}))`.execute(session)
}

/** Counts an attempt. Returns their number. */
export async function countAttempt(db: Db, { clientUid, uid }: UploadKey): Promise<number> {
  const { attempts } = await db
    .updateTable('upload')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .returning('attempts')
    .executeTakeFirstOrThrow()
  return attempts
}

/** The site of a running event of the organisation, if there is one. */
export async function findEventSite(tx: Tx, clientUid: ClientUid): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select st.name from event e join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.ended_at is null order by e.started_at limit 1`.execute(tx)
  return rows[0]?.name
}
