import { newestHead } from '#features/log/server/heads.service.ts'
import { type Addition, commitOfAddition } from '#features/log/server/log-additions.service.ts'
import { newSalt } from '#features/log/server/log-line.ts'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { ClientUid, EventUid, PersonUid, PlaceUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { journalReader, type Reader } from '#server/http/warden-or-administrator.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, hasFlag } from '#server/wardens/actor.ts'
import type { AdditionKind, addToRecord, NewAction, NewAddition, RecordAddition, SignedAt } from '../calls/additions.ts'
import { nextNumber } from './actions/actions.queries.ts'
import { requireDue, requireStep, type Step, viewerOf } from './actions/actions.service.ts'
import * as queries from './additions.queries.ts'
import { requireCorrected } from './corrections/corrections.service.ts'
import { requireOwner } from './owners/owners.service.ts'
import { type Found, listReached, type Reach, reachOf, requireRecord } from './record-access.service.ts'

/** These need reach of all buildings of the event. */
const ofWholeEvent: readonly AdditionKind[] = ['fact', 'outcome', 'sign_off']
const dayMs = 86_400_000

/** An observation, or an answer to the checklist: also of an event that runs, and of people without the flag (observing/). */
export type NewNote = Extract<NewAddition, { kind: 'observation' | 'checklist' }>
type NewOther = Exclude<NewAddition, NewNote>

export const isNote = (addition: NewAddition): addition is NewNote =>
  addition.kind === 'observation' || addition.kind === 'checklist'

/** Adds to a record. Nothing that was added before changes. Throws the refusals of the call. */
export async function add(
  tx: Tx,
  actor: Actor,
  eventUid: EventUid,
  addition: NewOther,
  now: Date,
): Promise<CallAnswer<typeof addToRecord>> {
  if (!hasFlag(actor, 'Module_Event_Records')) throw new Refusal('forbidden')
  const reach = await reachOf(tx, actor)
  const found = await requireRecord(tx, reach, eventUid)
  if (!found.isWhole && ofWholeEvent.includes(addition.kind)) throw new Refusal('not_found')
  if (found.state === 'writing' || found.state === 'failed') throw new Refusal('record_not_ready')
  if (addition.kind === 'outcome' && found.kind === 'drill')
    throw new Refusal('invalid_request', 'Only a live event has an outcome.', ['body/kind'])
  if (addition.kind === 'action') requireDue(addition.body.due, found.timezone, now)
  if (addition.observed_at !== undefined) requireTime(new Date(addition.observed_at), found, now)
  const body = { ...addition.body, ...(await knownHere(tx, actor, reach, found, addition)) }
  await requireNamed(tx, reach, found, addition)
  if (addition.kind === 'action_step') await requireStep(tx, await viewerOf(tx, actor, reach), eventUid, addition.body)
  const entry = await keepAddition(tx, authorOf(actor), eventUid, { ...addition, body })
  return { entry: present(entry, actor) }
}

/** What the server writes into a body: the owner's name, the place of a corrected entry, the head at a sign-off. */
async function knownHere(
  tx: Tx,
  actor: Actor,
  reach: Reach,
  found: Found,
  { kind, body }: NewOther,
): Promise<{ owner?: NewAction['owner']; place?: PlaceUid } & SignedAt> {
  if (kind === 'action') return { owner: await requireOwner(tx, actor, reach, body.owner) }
  if (kind === 'correction') return requireCorrected(tx, reach, found, body)
  if (kind !== 'sign_off') return {}
  const head = await newestHead(tx, { clientUid: reach.clientUid, eventUid: found.eventUid })
  return head ? { head } : {}
}

/** More than a day after the end. */
export const isAfter = (at: Date, endedAt: Date) => at.getTime() > endedAt.getTime() + dayMs

/** A time that is not of the event is a mistake of a clock, or of the hand. */
export function requireTime(at: Date, { beganAt, endedAt }: { beganAt: Date; endedAt: Date | null }, now: Date): void {
  if (at > now || at.getTime() < beganAt.getTime() - dayMs || (endedAt && isAfter(at, endedAt)))
    throw new Refusal('invalid_request', 'That time is outside the event.', ['body/observed_at'])
}

/** What an addition names is of this event, or of this organisation. Throws `not_found`. */
async function requireNamed(tx: Tx, { clientUid }: Reach, { eventUid }: Found, addition: NewOther) {
  const isThere = async () => {
    switch (addition.kind) {
      case 'action': {
        const { from } = addition.body
        return from === undefined || queries.isAddition(tx, clientUid, eventUid, 'observation', from)
      }
      default:
        return true
    }
  }
  if (!(await isThere())) throw new Refusal('not_found')
}

/** Who adds something: a person, or an observer under the name of their link. */
export interface Author {
  clientUid: ClientUid
  personUid: PersonUid | null
  observer?: { uid: string; name: string }
  /** Instead of a person's or an observer's name. */
  product?: 'Evac'
  journal: JournalActor
}

export const authorOf = (actor: Reader): Author => ({
  clientUid: actor.clientUid,
  personUid: actor.personUid,
  journal: journalReader(actor),
})

/** Adds one after the other: of many at once none passes the limit. */
export async function keepAddition(
  tx: Tx,
  { clientUid, personUid, observer, product, journal }: Author,
  eventUid: EventUid,
  { kind, body, observed_at }: { kind: AdditionKind; body: JsonObject; observed_at?: string | undefined },
): Promise<queries.AdditionRow> {
  await queries.lockAdditions(tx, eventUid)
  if ((await queries.countAdditions(tx, clientUid, eventUid)) >= queries.mostAdditions)
    throw new Refusal('invalid_request', 'This record is full.')
  const step = kind === 'action_step' ? (body as Step) : null
  const numbered = kind === 'action' ? { ...body, no: await nextNumber(tx, clientUid, eventUid) } : body
  const added = await queries.insertAddition(tx, {
    clientUid,
    eventUid,
    kind,
    body: numbered,
    byPersonUid: personUid,
    observer,
    product,
    salt: newSalt(),
    targetUid: step?.target ?? null,
    baseUid: step?.base ?? null,
    observedAt: observed_at === undefined ? null : new Date(observed_at).toISOString(),
  })
  if (!added) throw new Refusal('record_changed')
  const commit = commitOfAddition(loggedOf(eventUid, added))
  const after = { entry_uid: added.uid, kind, commit, ...(observer && { observer: observer.uid }) }
  await recordBeside(
    tx,
    journal,
    [{ action: 'record_entry_added', subjectType: 'event', subjectUid: eventUid, eventUid, after }],
    observer?.name ?? product,
  )
  return added
}

/** An addition as its line in the log has it. */
const loggedOf = (eventUid: EventUid, { salt, ...row }: queries.AdditionRow): Addition => ({
  salt,
  fields: {
    uid: row.uid,
    event: eventUid,
    kind: row.kind,
    target: row.targetUid,
    base: row.baseUid,
    body: row.body,
    by: row.byPersonUid,
    by_name: row.byName,
    by_role: row.byRole,
    observed_at: row.observedAt?.toISOString() ?? null,
    recorded_at: row.recordedAt.toISOString(),
  },
})

/** All additions of an event by their uids, as the log has them. */
export async function loggedAdditions(
  tx: Db,
  clientUid: ClientUid,
  eventUid: EventUid,
): Promise<ReadonlyMap<string, Addition>> {
  const rows = await queries.listAdditions(tx, { clientUid }, eventUid)
  return new Map(rows.map((row) => [row.uid, loggedOf(eventUid, row)]))
}

/** The same for the check of a log. */
export const readLoggedAdditions = (db: Db, { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid }) =>
  loggedAdditions(db, clientUid, eventUid)

/** Why someone looks at the names of people with a plan is kept beside the record. Throws `invalid_request`. */
export async function keepReason(
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  reason: string | undefined,
): Promise<void> {
  if (!reason?.trim()) throw new Refusal('invalid_request', 'Why do you need the names?', ['body/reason'])
  await keepAddition(tx, authorOf(reader), eventUid, { kind: 'names_reason', body: { reason: reason.trim() } })
}

/** Who reaches a part of the event sees own additions, and those about places within reach with what follows from them. */
export async function presentAdditions(
  tx: Tx,
  reader: Pick<Reader, 'personUid'>,
  reach: Reach,
  { eventUid, isWhole }: { eventUid: EventUid; isWhole: boolean },
): Promise<RecordAddition[]> {
  const rows = await queries.listAdditions(tx, reach, eventUid)
  const places = await listReached(tx, reach)
  const shown = new Set<unknown>()
  const isShown = ({ body, byPersonUid, targetUid }: queries.AdditionRow) =>
    isWhole ||
    byPersonUid === reader.personUid ||
    isOwner(body, reader) ||
    places.has(String(body.place)) ||
    shown.has(targetUid ?? body.from)
  return rows.flatMap((row) => {
    if (!isShown(row)) return []
    shown.add(row.uid)
    return [present(row, reader)]
  })
}

const isOwner = ({ owner }: JsonObject, { personUid }: Pick<Reader, 'personUid'>) =>
  personUid !== null && (owner as JsonObject | undefined)?.person === personUid

export const present = (row: queries.AdditionRow, { personUid }: Pick<Author, 'personUid'>): RecordAddition => ({
  uid: row.uid,
  kind: row.kind,
  body: row.body,
  by: row.byName,
  role: row.byRole,
  mine: row.byPersonUid === personUid,
  observed_at: row.observedAt?.toISOString() ?? null,
  recorded_at: row.recordedAt.toISOString(),
})
