import { instruct } from '#features/command/server/instruction.service.ts'
import { countAgain, lockEvacuees } from '#features/evacuation/server/evacuee-snapshot.queries.ts'
import { toldTally } from '#features/evacuation/server/evacuee-snapshot.service.ts'
import { keepChangedNames } from '#features/log/server/names/names-kept.service.ts'
import { sentenceOf, wordOf } from '#kernel/action-words.ts'
import { type Action, groupOf, hasWhere } from '#kernel/actions.ts'
import type { BuildingUid, EventUid, FloorUid, SignInUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { requirePlainText } from '#server/platform/plain-text.ts'
import { type Actor, type DutyActor, journalActor } from '#server/wardens/actor.ts'
import { presentAction } from '#server/wardens/building-action.ts'
import type { Brief } from '../calls/brief.ts'
import type { ChangeActionInput, changeAction as changeActionCall } from '../calls/events.ts'
import {
  type ChangedBuilding,
  ensureActionStatuses,
  findNewestChange,
  listActions,
  markAction,
  skipTextsOfAction,
} from './action.queries.ts'
import {
  type ActiveEvent,
  findActiveEvent,
  listEventBuildings,
  listEventFloors,
  lockSite,
  setFloorsBack,
} from './event.queries.ts'
import { listReach } from './event-reach.service.ts'
import { findSender } from './event-texts.queries.ts'
import { textEverybody } from './event-texts.service.ts'

/** Buildings of the reader's event that are not under evacuate. Absent without one. */
export async function briefActions(tx: Tx, actor: DutyActor): Promise<Pick<Brief, 'actions' | 'leaving'>> {
  const { clientUid, event, personUid, signIn, assignment } = actor
  const rows = await listActions(tx, {
    clientUid,
    eventUid: event.uid,
    personUid,
    signInUid: signIn.uid,
    assignmentUid: assignment.uid,
    isOfSite: assignment.areaDomain === 'Site',
  })
  if (rows.length === 0) return {}
  const leaving = (await listEventBuildings(tx, event.uid)).length > rows.length
  return {
    actions: rows.map(({ building, name, own, ...row }) => ({ building, name, own, ...presentAction(row) })),
    leaving,
  }
}

/**
 * Changes what the people of buildings do, in one transaction under the lock of the site. A change names the newest one that
 * its caller has seen, so of two at once the second is refused and its manager looks again. Throws `not_found`, `other_event`,
 * `action_changed` and `invalid_request`.
 */
export async function changeAction(
  app: Services,
  tx: Tx,
  actor: Actor,
  input: ChangeActionInput,
): Promise<CallAnswer<typeof changeActionCall>> {
  requireFit(input.message, 'body/message')
  const where = hasWhere(input.action) ? (input.where ?? '').trim() : ''
  requirePlainText(where, 'body/where')
  if (hasWhere(input.action) && !where) throw new Refusal('invalid_request', 'Enter where to go.', ['body/where'])
  const reach = (await listReach(tx, actor)).filter(({ manageable }) => manageable)
  const mine = reach.filter((row) => row.eventUid === input.event && input.buildings.includes(row.buildingUid))
  const siteUid = reach.find((row) => row.eventUid === input.event)?.siteUid
  if (!siteUid) throw new Refusal('not_found')
  await lockSite(tx, siteUid)
  const active = await findActiveEvent(tx, siteUid)
  if (active?.uid !== input.event) throw new Refusal('other_event')
  const inEvent = await listEventBuildings(tx, active.uid)
  const isMine = (uid: BuildingUid) =>
    mine.some((row) => row.buildingUid === uid) && inEvent.some((row) => row.uid === uid)
  if (!input.buildings.every(isMine)) throw new Refusal('not_found')
  await requireNewest(tx, active, input.base)
  const change = await turn(app, tx, actor, active, {
    ...input,
    where,
    isWhole: input.buildings.length === inEvent.length,
  })
  return { status: 'action_changed', change, message: 'The action has been changed.' }
}

async function requireNewest(tx: Tx, active: ActiveEvent, base: string | null): Promise<void> {
  if (active.change === base) return
  const newest = await findNewestChange(tx, active.uid)
  throw new Refusal(
    'action_changed',
    newest?.name ? `${newest.name} has just changed the action to ${wordOf(newest.action)}. Look again.` : undefined,
  )
}

interface Turn extends ChangeActionInput {
  where: string
  /** Every building of the event. */
  isWhole: boolean
}

/** People are locked before their buildings, as by everything that records them. */
async function turn(app: Services, tx: Tx, actor: Actor, { uid: eventUid }: ActiveEvent, input: Turn): Promise<string> {
  const { action, where, buildings } = input
  const message = input.message.trim()
  await lockEvacuees(tx, eventUid, buildings)
  const uncalled = await skipTextsOfAction(tx, eventUid, buildings)
  await keepChangedNames(tx, actor.clientUid, 'floorStatus', await ensureActionStatuses(tx, actor.clientUid, action))
  const made = await markAction(tx, { eventUid, buildings, action, where, personUid: actor.personUid })
  await setFloorsBack(tx, eventUid, buildings, made.countsFrom)
  const again = input.again === 'yes' && action !== 'release'
  const refusals = changesGroup(made.before, action)
  const tally =
    again || refusals ? await countAgain(tx, eventUid, { buildings, countsFrom: made.countsFrom, again, refusals }) : []
  await record(tx, journalActor(actor), {
    action: 'action_changed',
    subjectType: 'event',
    subjectUid: eventUid,
    eventUid,
    before: { actions: made.before.map(({ building, action: was }) => [building, was]) },
    after: {
      change_uid: made.change,
      action,
      ...(where && { where }),
      buildings,
      again,
      message,
      ...toldTally(...tally),
    },
  })
  const opened = uncalled.map((signInUid) => ({ signInUid }))
  const { broadcastMessage } = input
  const alertToWarden = opened.length > 0 ? 'yes' : 'no'
  await textEverybody(app, tx, actor, { buildings, broadcastMessage, alertToWarden, message, eventUid, opened })
  await instructWardens(tx, actor, eventUid, input)
  return made.change
}

/** Wardens of the buildings read the sentence of the action on a sheet. In a lockdown no text follows. */
async function instructWardens(tx: Tx, actor: Actor, eventUid: EventUid, { action, where, buildings, isWhole }: Turn) {
  const bySignInUid = (await findSender(tx, eventUid, actor.signIn?.uid ?? null)) as SignInUid | null
  const floors: FloorUid[] | null = isWhole ? null : await listEventFloors(tx, eventUid, buildings)
  // a building without floors has no floor to name, and its wardens are those of the site
  if (!bySignInUid || floors?.length === 0) return
  const text = groupOf(action) !== 'quiet'
  const { clientUid } = actor
  await instruct(tx, actor, {
    clientUid,
    eventUid,
    kind: action,
    message: sentenceOf(action, where),
    floors,
    text,
    bySignInUid,
  })
}

/** A refusal to leave is something else than having left against the instruction. */
const changesGroup = (before: readonly ChangedBuilding[], action: Action) =>
  before.some(({ action: was }) => (groupOf(was) === 'leave') !== (groupOf(action, was) === 'leave'))
