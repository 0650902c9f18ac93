import * as limits from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { actOnReach, getReach, ReachCount, Reached, ReachTry } from '../calls/reach.ts'
import { reachClasses } from '../kinds.ts'
import * as queries from './who-has-answered.queries.ts'

/** How far each class has come, and a page of one list. Throws `not_found` for a position of another event. */
export async function presentReach(
  { system }: Pick<Services, 'system'>,
  tx: Tx,
  actor: Actor,
  { class: reachClass, list, after }: CallInput<typeof getReach>['query'],
): Promise<CallAnswer<typeof getReach>> {
  const of = await ownEvent(tx, actor)
  if (!of) return { event: null, classes: [], people: [], next: null }
  const classes = countsOf(await queries.countReaches(tx, of))
  if (after && !(await queries.isOfEvent(tx, of, after))) throw new Refusal('not_found')
  if (!reachClass || !list) return { event: of.eventUid, classes, people: [], next: null }
  const rows = await queries.listPeople(tx, of, { reachClass, list, after, most: limits.pageSize + 1 })
  const shown = rows.slice(0, limits.pageSize)
  const uids = shown.map(({ uid }) => uid)
  const tries = [...(await queries.listTries(tx, of.clientUid, uids)), ...(await queries.listMails(system, uids))]
  const triesOf = Map.groupBy(tries, ({ reachUid }) => reachUid)
  const people = shown.map((row) => presentPerson(row, triesOf.get(row.uid) ?? []))
  return { event: of.eventUid, classes, people, next: rows.length > shown.length ? (shown.at(-1)?.uid ?? null) : null }
}

async function ownEvent(tx: Tx, { clientUid, assignment }: Actor): Promise<queries.EventOf | undefined> {
  const eventUid = assignment && (await queries.findRunning(tx, clientUid, assignment.siteUid))
  return eventUid ? { clientUid, eventUid } : undefined
}

function countsOf(rows: readonly queries.CountRow[]): ReachCount[] {
  return reachClasses.flatMap((one) => {
    const of = (state: queries.CountRow['state']) =>
      rows.find((row) => row.class === one && row.state === state)?.count ?? 0
    const count = { class: one, reached: of('answered'), trying: of('going'), not_reached: of('used_up') }
    return count.reached + count.trying + count.not_reached > 0 ? [count] : []
  })
}

const mostTries = 50

function presentPerson(row: queries.PersonRow, tries: readonly queries.TryRow[]): Reached {
  const place = [row.buildingName, row.floorName].filter(Boolean).join(' - ')
  return {
    id: row.uid,
    name: row.name,
    phone: row.mobile,
    warden: row.isWarden,
    location: row.isWarden ? (row.areas ?? []).join(', ') : place,
    since: row.askedAt.toISOString(),
    tries: tries.slice(-mostTries).map(presentTry),
    answered_at: row.answeredAt?.toISOString() ?? null,
    spoken_by: row.spokenBy ?? '',
    again_from: row.againFrom?.toISOString() ?? null,
  }
}

const presentTry = ({ way, state, at, reason, digit }: queries.TryRow): ReachTry => ({
  way,
  state,
  at: at.toISOString(),
  reason: reason ?? '',
  ...(digit && { key: digit }),
})

/** Throws `not_found`, `invalid_transition` and `quiet_building`. */
export async function act(
  tx: Tx,
  actor: Actor,
  { uid }: CallInput<typeof actOnReach>['params'],
  { act: wanted }: CallInput<typeof actOnReach>['body'],
): Promise<CallAnswer<typeof actOnReach>> {
  const of = await ownEvent(tx, actor)
  const reach = of && (await queries.lockReach(tx, of, uid))
  if (!reach) throw new Refusal('not_found')
  if (reach.state === 'over') throw new Refusal('invalid_transition', 'This person is asked no more.')
  if (wanted === 'spoken' && reach.state === 'answered') return { status: 'done' }
  if (wanted === 'spoken') await queries.markSpoken(tx, of, uid, actor.personUid)
  else await tryAgain(tx, of, reach)
  await record(tx, journalActor(actor), {
    action: wanted === 'again' ? 'reached_again' : 'reach_spoken',
    ...(reach.signInUid
      ? { subjectType: 'sign_in', subjectUid: reach.signInUid }
      : { subjectType: 'evacuee', subjectUid: reach.personUid }),
    eventUid: of.eventUid,
    after: { reach_uid: uid },
  })
  return { status: 'done' }
}

async function tryAgain(tx: Tx, of: queries.EventOf, reach: queries.OneReach): Promise<void> {
  if (reach.state === 'answered') throw new Refusal('invalid_transition', 'This person has answered.')
  if (reach.isTriedLately) throw new Refusal('invalid_transition', 'You can try again after a minute.')
  if (reach.isQuiet) throw new Refusal('quiet_building', 'Building in lockdown.')
  await queries.beginAgain(tx, of, reach.uid)
}
