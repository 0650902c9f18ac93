import { listContradictions } from '#features/accounting/server/contradictions.queries.ts'
import type { BriefInstruction } from '#features/events/calls/brief.ts'
import type { FloorUid, InstructionUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { requirePlainText } from '#server/platform/plain-text.ts'
import { type Acting, type Actor, type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type {
  getInstruction,
  listInstructions,
  previewInstruction,
  SentInstruction,
  sendInstruction,
  understand,
} from '../calls/instructions.ts'
import { isChosen, wordOfInstruction } from '../instruction-word.ts'
import { movingKinds } from '../kinds.ts'
import { quietSentences } from '../words.ts'
import { type EventOf, eventOf } from './command.queries.ts'
import { countPeople } from './counts.service.ts'
import {
  areFloorsOf,
  findCurrent,
  hasQuietFloor,
  insertInstruction,
  listPlaces,
  listSent,
  markUnderstood,
  type NewInstruction,
  type SentRow,
} from './instruction.queries.ts'
import { countMeant, findSender, listNotYet } from './instruction-recipients.queries.ts'

const mostSent = 20
const mostRecent = 10
const pageSize = 50
/** More floors than these are 'any' to the phones. */
const mostTold = 50

export async function presentInstructions(db: Db, actor: DutyActor): Promise<CallAnswer<typeof listInstructions>> {
  const event = eventOf(actor)
  return {
    places: await listPlaces(db, event),
    sent: (await listSent(db, event, { most: mostSent })).map(presentSent),
    sms_allowed: actor.smsAllowed,
  }
}

/** Throws `not_found` for a floor that is not in the event. */
export async function preview(
  db: Db,
  actor: DutyActor,
  floors: CallInput<typeof previewInstruction>['body']['floors'],
): Promise<CallAnswer<typeof previewInstruction>> {
  const event = eventOf(actor)
  const named = await readFloors(db, event, floors)
  const { danger, unknown } = await countPeople(db, event)
  return {
    wardens: await countMeant(db, event, { floors: named, senderUid: actor.signIn.uid }),
    recent: (await listSent(db, event, { isRecent: true, most: mostRecent })).map(presentSent),
    danger,
    unknown,
    contradictions: (await listContradictions(db, event.clientUid, event.eventUid)).length,
  }
}

/** Throws `not_found` for a floor that is not in the event. */
export async function send(
  tx: Tx,
  actor: DutyActor,
  { kind, message, floors, text }: CallInput<typeof sendInstruction>['body'],
): Promise<CallAnswer<typeof sendInstruction>> {
  const event = eventOf(actor)
  const words = message.trim()
  requireFit(message, 'body/message')
  requirePlainText(message, 'body/message')
  if (!words) throw new Refusal('invalid_request', undefined, ['body/message'])
  const named = await readFloors(tx, event, floors)
  if (movingKinds.includes(kind) && (await hasQuietFloor(tx, event, named)))
    throw new Refusal('quiet_building', kind === 'evacuate' ? quietSentences.evacuate : undefined)
  const bySignInUid = actor.signIn.uid
  const uid = await instruct(tx, actor, {
    ...event,
    kind,
    message: words,
    floors: named,
    text: text === 'yes',
    bySignInUid,
  })
  return { uid, meant: await countMeant(tx, event, { floors: named, senderUid: bySignInUid }) }
}

/** Sends an instruction that has been checked, and journals it. */
export async function instruct(tx: Tx, actor: Actor, sent: NewInstruction): Promise<InstructionUid> {
  const { eventUid, kind, floors } = sent
  const uid = await insertInstruction(tx, sent)
  const told = floors === null ? 'all' : floors.length > mostTold ? 'any' : floors
  await record(tx, journalActor(actor), {
    action: 'instruction_sent',
    subjectType: 'event',
    subjectUid: eventUid,
    eventUid,
    after: { instruction_uid: uid, instruction: { kind, floors: told } },
  })
  return uid
}

/** Throws `not_found`. */
export async function presentNotYet(
  db: Db,
  actor: DutyActor,
  { uid, after }: { uid: InstructionUid } & CallInput<typeof getInstruction>['query'],
): Promise<CallAnswer<typeof getInstruction>> {
  const event = eventOf(actor)
  const { understood, meant } = await getSent(db, event, uid)
  const rows = await listNotYet(db, event, { uid, after, most: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  return {
    understood,
    meant,
    not_yet: shown.map(({ areas, ...row }) => ({ ...row, areas: areas ?? [] })),
    next: rows.length > shown.length ? (shown.at(-1)?.wardenSignInUid ?? null) : null,
  }
}

/** Counts once. Throws `not_found` for an instruction that does not mean the warden. */
export async function noteUnderstood(
  tx: Tx,
  actor: Acting,
  uid: InstructionUid,
): Promise<CallAnswer<typeof understand>> {
  const event = eventOf(actor)
  const bySignInUid = await findSender(tx, event, uid, actor.signIn.uid)
  if (!bySignInUid) throw new Refusal('not_found')
  if (await markUnderstood(tx, event, { uid, signInUid: actor.signIn.uid }))
    // told to its sender alone: a thousand wardens answer within seconds, and no other phone shows it
    await record(tx, journalActor(actor), {
      ...{
        action: 'instruction_understood',
        subjectType: 'sign_in',
        subjectUid: bySignInUid,
        eventUid: event.eventUid,
      },
      after: { instruction_uid: uid },
    })
  return { status: 'success' }
}

/** The sheet of the warden, if there is one. */
export async function briefInstruction(db: Db, actor: DutyActor): Promise<BriefInstruction | null> {
  const current = await findCurrent(db, eventOf(actor), actor.signIn.uid)
  if (!current) return null
  const { kind } = current
  return { ...current, at: current.at.toISOString(), ...(isChosen(kind) ? {} : { word: wordOfInstruction(kind) }) }
}

async function getSent(db: Db, event: EventOf, uid: InstructionUid): Promise<SentRow> {
  const [sent] = await listSent(db, event, { uid, most: 1 })
  if (!sent) throw new Refusal('not_found')
  return sent
}

async function readFloors(db: Db, event: EventOf, floors: 'all' | FloorUid[]): Promise<FloorUid[] | null> {
  if (floors === 'all') return null
  if (!(await areFloorsOf(db, event, floors))) throw new Refusal('not_found')
  return [...new Set(floors)]
}

const presentSent = ({ bySignInUid: _, at, floors, ...row }: SentRow): SentInstruction => ({
  ...row,
  floors: floors ?? 'all',
  at: at.toISOString(),
})
