import { sql } from 'kysely'
import { uploadLimits } from '#kernel/console-kinds.ts'
import type { UploadUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import { sqlState, type Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { applyUpload, checkUpload, Mapping, storeUploadPart } from '../calls.ts'
import { reasonToLeaveOut } from './upload-files.ts'
import { mayBring } from './upload-reach.ts'
import * as queries from './uploads.queries.ts'

/** Everyone in the whole organisation sees all uploads, others their own. */
export const seenBy = ({ reach, personUid }: Administrator): queries.Sees =>
  reach.kind === 'organisation' ? sql`true` : sql`(u.by_person_uid = ${personUid})`

export async function hold(tx: Tx, administrator: Administrator, uid: UploadUid): Promise<queries.UploadRecord> {
  const upload = await queries.holdUpload(tx, administrator.clientUid, uid, seenBy(administrator))
  if (!upload) throw new Refusal('not_found')
  return upload
}

export async function requireUpload(
  tx: Tx,
  administrator: Administrator,
  uid: UploadUid,
): Promise<queries.UploadRecord> {
  const upload = await queries.findUpload(tx, administrator.clientUid, uid, seenBy(administrator))
  if (!upload) throw new Refusal('not_found')
  return upload
}

/** Its files and what becomes of them are the opener's: a colleague with other rights would act in the opener's name. */
async function holdOwn(tx: Tx, administrator: Administrator, uid: UploadUid): Promise<queries.UploadRecord> {
  const upload = await hold(tx, administrator, uid)
  if (upload.byPersonUid !== administrator.personUid)
    throw new Refusal('forbidden', 'Only the person who uploaded this can check and apply it.')
  return upload
}

export const wrongState = (state: queries.UploadRecord['state']) =>
  new Refusal('invalid_transition', `This upload is ${state}.`)

/** One that the administrator has left open, or that failed its check, goes with its parts. Of others there are at most ten. */
export async function open(tx: Tx, { clientUid, personUid, administratorUid }: Administrator) {
  for (const uid of await queries.listOpenOf(tx, clientUid, personUid)) await giveUp(tx, { clientUid, uid })
  if ((await queries.countKept(tx, clientUid, personUid)) >= uploadLimits.ofPerson)
    throw new Refusal(
      'invalid_transition',
      `You have ${uploadLimits.ofPerson} uploads that are not applied. Apply or discard one first.`,
    )
  return {
    uid: await queries.insertUpload(tx, { clientUid, administratorUid, byPersonUid: personUid, kind: 'tables' }),
  }
}

async function giveUp(tx: Tx, upload: Pick<queries.UploadRecord, 'clientUid' | 'uid'>) {
  await queries.updateUpload(tx, upload, { state: 'dropped', stage: null })
  await queries.deleteParts(tx, upload)
}

/** Keeps a part, in place of the same one that has come before. Another kind of file is named and left out. */
export async function storePart(
  tx: Tx,
  administrator: Administrator,
  { params: { uid, file }, query: { part } }: CallInput<typeof storeUploadPart>,
  content: unknown,
): Promise<CallAnswer<typeof storeUploadPart>> {
  const upload = await holdOwn(tx, administrator, uid)
  if (upload.state !== 'open') throw wrongState(upload.state)
  const isZip = /\.zip$/i.test(file)
  const reason = reasonToLeaveOut(file) ?? (isZip ? null : mayBring(administrator)(file))
  if (reason !== null) {
    const leftOut = [...upload.leftOut.filter((other) => other.file !== file), { file, reason }]
    if (leftOut.length <= uploadLimits.leftOut) await queries.updateUpload(tx, upload, { leftOut })
    return { kept: false, reason }
  }
  if (!Buffer.isBuffer(content))
    throw new Refusal('unsupported_media_type', 'Send the part as application/octet-stream.')
  await queries.keepPart(tx, upload, { file, nth: Number(part), content })
  if ((await queries.countBytes(tx, upload.clientUid)) > uploadLimits.ofOrganisation)
    throw new Refusal(
      'body_too_large',
      'The uploads of your organisation hold 1.2 GB together. Apply or discard one first.',
    )
  const kept = await queries.listKept(tx, upload)
  const all = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  const own = kept.find((other) => other.file === file)?.bytes ?? 0
  if (own > uploadLimits.file) throw new Refusal('body_too_large', 'The file is larger than 300 MB.')
  if (all > uploadLimits.all) throw new Refusal('body_too_large', 'The files are larger than 600 MB together.')
  return { kept: true, reason: null }
}

/** Hands the files to a worker. */
export async function check(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  administrator: Administrator,
  { params: { uid }, body }: CallInput<typeof checkUpload>,
): Promise<CallAnswer<typeof checkUpload>> {
  const upload = await holdOwn(tx, administrator, uid)
  if (upload.state === 'checking') return { state: upload.state }
  if (upload.state !== 'open' && upload.state !== 'checked') throw wrongState(upload.state)
  if (body.end_missing && administrator.reach.kind !== 'organisation')
    throw new Refusal(
      'forbidden',
      'Only an administrator of the whole organisation can end what the files no longer have.',
    )
  const kept = new Map((await queries.listKept(tx, upload)).map(({ file, parts }) => [file, parts]))
  const files = body.files.filter(({ file }) => !upload.leftOut.some((left) => left.file === file))
  for (const { file, parts } of files) {
    const missing = Array.from({ length: parts }, (_, n) => n + 1).find((nth) => !kept.get(file)?.includes(nth))
    if (missing !== undefined)
      throw new Refusal('invalid_request', `${file} is not complete: part ${missing} is missing.`, ['files'])
  }
  requireBoth(files, body.end_missing)
  if (body.mapping) requireNames(files, body.mapping)
  const options = { files, endMissing: body.end_missing, ...(body.mapping && { mapping: body.mapping }) }
  const fresh = { notice: null, done: 0, total: 0, stage: null, attempts: 0 }
  await queries.updateUpload(tx, upload, { ...fresh, options, state: 'checking' })
  await jobs.enqueue(tx, 'uploads', { uid })
  return { state: 'checking' }
}

/** Needs both files. An archive may hold them. */
function requireBoth(files: readonly queries.GivenFile[], endMissing: boolean) {
  const has = (name: string) => files.some(({ file }) => file === name || /\.zip$/i.test(file))
  if (endMissing && !(has('people.csv') && has('assignments.csv')))
    throw new Refusal('invalid_request', 'This needs people.csv and assignments.csv.', ['end_missing'])
}

/** A single table, each column at most once, and a name of each person. */
function requireNames(files: readonly queries.GivenFile[], { columns }: Mapping) {
  const refuse = (reason: string) => new Refusal('invalid_request', reason, ['mapping'])
  const chosen = columns.map(({ column }) => column)
  if (files.length !== 1 || files[0]?.file !== 'people.csv')
    throw refuse('Other headings are for a single table of people.')
  if (new Set(chosen).size < chosen.length) throw refuse('A column is chosen twice.')
  const [first, last, full] = (['first_name', 'last_name', 'full_name'] as const).map((name) => chosen.includes(name))
  if (full ? first || last : !(first || last))
    throw refuse('Choose a first name, a last name or both, or the full name alone.')
}

/** Hands the difference that was shown to a worker. */
export async function apply(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  administrator: Administrator,
  { params: { uid }, body: { ends, leave_out = 0 } }: CallInput<typeof applyUpload>,
): Promise<CallAnswer<typeof applyUpload>> {
  const { clientUid, isConfirmed } = administrator
  const upload = await holdOwn(tx, administrator, uid)
  if (upload.state === 'applying' || upload.state === 'applied') return { state: upload.state }
  if (!mayApply(upload)) throw wrongState(upload.state)
  const leftOut = countLeftOut(upload)
  if (leave_out !== leftOut)
    throw new Refusal('invalid_request', `Rows with a wrong cell are left out: ${leftOut}. Confirm their number.`, [
      'leave_out',
    ])
  const waits = upload.changes > uploadLimits.atOnce || changesDuty(upload)
  if (waits) await refuseInEvent(tx, clientUid)
  const mustType = upload.result?.mustType ?? null
  if (mustType !== null) {
    if (!isConfirmed) throw new Refusal('confirm_identity')
    if (ends !== mustType)
      throw new Refusal('invalid_request', `Type the number of people and assignments that end: ${mustType}.`, ['ends'])
  }
  if (upload.result?.asksCode && !isConfirmed) throw new Refusal('confirm_identity')
  const options = { ...upload.options, confirmed: isConfirmed }
  const start = { begunAt: null, options, done: 0, total: upload.changes, stage: 'writing', notice: null, attempts: 0 }
  await queries.updateUpload(tx, upload, { ...start, state: 'applying' }).catch(refuseSecond)
  await jobs.enqueue(tx, 'uploads', { uid })
  return { state: 'applying' }
}

export async function refuseInEvent(tx: Tx, clientUid: Administrator['clientUid']): Promise<void> {
  const site = await queries.findEventSite(tx, clientUid)
  if (site === undefined) return
  throw new Refusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`)
}

/** Texts off, a time zone, a type renamed, modules taken away: what an event and its wardens stand on. */
const changesDuty = ({ result }: queries.UploadRecord) =>
  (result?.files ?? []).some(({ file, changed, left }) => changed + left > 0 && stays.has(file))
const stays = new Set(['organisation.csv', 'sites.csv', 'roles.csv', 'event_types.csv'])

/** Another one of the organisation is being applied. */
export function refuseSecond(error: unknown): never {
  throw sqlState(error) === '23505'
    ? new Refusal('busy', 'Tables are being applied. Try again when they are done.')
    : error
}

/** Without rows that can be left out, each wrong cell keeps everything back. */
export const mayApply = ({ state, problems, changes, result }: queries.UploadRecord) =>
  state === 'checked' &&
  (problems === 0 || result?.rows !== undefined) &&
  changes + (result?.files ?? []).reduce((sum, { left }) => sum + left, 0) > 0

/** Applied, or on the way there or back. */
const isIn = ({ state }: queries.UploadRecord) => ['applying', 'applied', 'undoing', 'undone'].includes(state)

export async function drop(tx: Tx, administrator: Administrator, uid: UploadUid) {
  const upload = await hold(tx, administrator, uid)
  if (isIn(upload)) throw wrongState(upload.state)
  if (upload.state !== 'dropped') await giveUp(tx, upload)
  return { state: 'dropped' as const }
}

/** Plans are for those with the Plans permission. */
export const mayUndo = ({ seesPlans }: Administrator, { result }: queries.UploadRecord) =>
  seesPlans || (result?.files ?? []).every(({ file }) => file !== 'peeps.csv')

const countLeftOut = ({ result }: Pick<queries.UploadRecord, 'result'>) =>
  (result?.rows?.leftOut ?? []).reduce((sum, { rows }) => sum + rows, 0)
