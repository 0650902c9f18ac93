import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requirePlainText } from '#server/platform/plain-text.ts'
import { type Actor, type DutyActor, hasFlag, journalActor } from '#server/wardens/actor.ts'
import type {
  BriefCommand,
  CommandState,
  getCommand,
  handOver as handOverCall,
  takeCommand as takeCommandCall,
} from '../calls/command.ts'
import { handOverMs } from '../kinds.ts'
import {
  type CurrentTurn,
  type EventOf,
  endTurn,
  eventOf,
  findCurrentTurn,
  insertTurn,
  isAway,
  listChain,
  listTurns,
  markAsked,
} from './command.queries.ts'
import { countEverybody } from './counts.service.ts'
import { askedToTake } from './takeover-request.ts'

const mostTurns = 50

export async function commandState(db: Db, actor: DutyActor): Promise<CallAnswer<typeof getCommand>> {
  const event = eventOf(actor)
  const turn = await getCurrentTurn(db, event)
  const chain = await listChain(db, event)
  const turns = await listTurns(db, event, mostTurns)
  return {
    turn: presentTurn(turn),
    chain: chain.map(({ personUid: _, ...member }) => member),
    turns: turns.map(({ beganAt, endedAt, ...one }) => ({
      ...one,
      began_at: beganAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    })),
  }
}

/** What every event page shows. Null before the event has a turn. */
export async function briefCommand(db: Db, actor: DutyActor, now: Date): Promise<BriefCommand | null> {
  const event = eventOf(actor)
  const turn = await findCurrentTurn(db, event)
  if (!turn) return null
  const { leader, silentAt } = turn
  const isAsked = hasFlag(actor, 'Module_Event_Management') && (!leader || silentAt || turn.askedSignInUid)
  return {
    at: now.toISOString(),
    turn: turn.uid,
    in_command: leader && { wardenSignInUid: leader.wardenSignInUid, name: leader.name, role: leader.role },
    silent_since: (leader && silentAt?.toISOString()) ?? null,
    take: isAsked ? askedToTake(turn, await listChain(db, event), actor.signIn.uid) : null,
  }
}

/** Anyone who starts an event is first. */
export async function beginCommand(tx: Tx, { clientUid, event, signIn }: Actor): Promise<void> {
  if (event && signIn)
    await insertTurn(tx, {
      clientUid,
      eventUid: event.uid,
      signInUid: signIn.uid,
      how: 'start',
      note: null,
      counts: null,
    })
}

/** Throws `invalid_transition` for anyone but the leader, `not_found`, `not_on_duty` and `command_changed`. */
export async function handOver(
  tx: Tx,
  actor: DutyActor,
  { turn: turnUid, to, note }: CallInput<typeof handOverCall>['body'],
): Promise<CommandState> {
  const event = eventOf(actor)
  const words = readNote(note)
  const turn = await getCurrentTurn(tx, event)
  if (turn.uid !== turnUid) throw commandChanged(turn)
  if (turn.leader?.wardenSignInUid !== actor.signIn.uid)
    throw new Refusal('invalid_transition', 'You are not in command.')
  const chain = await listChain(tx, event)
  const next = chain.find(({ wardenSignInUid }) => wardenSignInUid === to && to !== actor.signIn.uid)
  if (!next) throw (await isAway(tx, event, to)) ? notOnDuty() : new Refusal('not_found')
  if (!(await markAsked(tx, event, { turnUid, to, note: words }))) throw commandChanged(await getCurrentTurn(tx, event))
  await journal(tx, actor, { turn_uid: turnUid, asked_sign_in_uid: to })
  return commandState(tx, actor)
}

/** Never refused to someone in the chain, unless the turn that it ends is over. */
export async function takeCommand(
  tx: Tx,
  actor: DutyActor,
  { turn: turnUid, note }: CallInput<typeof takeCommandCall>['body'],
): Promise<CommandState> {
  const event = eventOf(actor)
  const words = readNote(note ?? '')
  const turn = await getCurrentTurn(tx, event)
  if (turn.uid !== turnUid) throw commandChanged(turn)
  if (turn.leader?.wardenSignInUid === actor.signIn.uid) return commandState(tx, actor)
  // the second of two waits here for the first
  if (!(await endTurn(tx, event, turnUid))) throw commandChanged(await getCurrentTurn(tx, event))
  const isAsked = turn.askedSignInUid === actor.signIn.uid
  const counts = await countEverybody(tx, event)
  const how = isAsked ? 'handed_over' : turn.leader && !turn.silentAt ? 'taken' : 'silent'
  const newUid = await insertTurn(tx, {
    ...event,
    signInUid: actor.signIn.uid,
    how,
    note: words ?? (isAsked ? turn.askedNote : null),
    counts,
  })
  await journal(tx, actor, { turn_uid: newUid, how, counts }, { turn_uid: turnUid, sign_in_uid: turn.lastSignInUid })
  return commandState(tx, actor)
}

async function getCurrentTurn(db: Db, event: EventOf): Promise<CurrentTurn> {
  const turn = await findCurrentTurn(db, event)
  if (!turn) throw new Error('a running event has no turn')
  return turn
}

const presentTurn = (turn: CurrentTurn): CommandState['turn'] => ({
  turn: turn.uid,
  in_command: turn.leader && presentMember(turn.leader),
  since: turn.since.toISOString(),
  silent_since: (turn.leader && turn.silentAt?.toISOString()) ?? null,
  asked:
    turn.askedSignInUid && turn.askedAt
      ? {
          wardenSignInUid: turn.askedSignInUid,
          name: turn.askedName ?? '',
          until: new Date(turn.askedAt.getTime() + handOverMs).toISOString(),
        }
      : null,
})
const presentMember = ({ personUid: _, ...leader }: NonNullable<CurrentTurn['leader']>) => leader

const commandChanged = ({ lastName }: CurrentTurn) =>
  new Refusal('command_changed', lastName === null ? undefined : `${lastName} has just taken command.`)
const notOnDuty = () => new Refusal('not_on_duty', 'This person is no longer on duty.')

function readNote(note: string): string | null {
  requirePlainText(note, 'body/note')
  return note.trim() || null
}

/** The note stands with the turn: the journal keeps no words of people. */
const journal = (tx: Tx, actor: DutyActor, after: JsonObject, before?: JsonObject) =>
  record(tx, journalActor(actor), {
    action: 'command_changed',
    subjectType: 'event',
    subjectUid: actor.event.uid,
    eventUid: actor.event.uid,
    ...(before && { before }),
    after,
  })
