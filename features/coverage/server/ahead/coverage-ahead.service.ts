import { offerDay, takeDay } from '#features/assignments/server/console/assignment-offers.service.ts'
import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import type { FloorUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type {
  AskedAhead,
  askForDay,
  getCoverageAhead,
  getOwnDays,
  OwnDay,
  takeForDay,
} from '../../calls/coverage-ahead.ts'
import { coverageOfDay, findSiteWithBuildings } from '../console/coming-days.service.ts'
import * as queries from './coverage-ahead.queries.ts'

/** Today and the seven days after it. */
const daysAhead = 8
const ownDays = 14
/** Today and tomorrow. */
const nearDays = 2
const mostAsked = 8

/** Of the site of the current assignment. */
export async function presentAhead(
  tx: Tx,
  actor: Actor,
  { day: asked }: CallInput<typeof getCoverageAhead>['query'],
): Promise<CallAnswer<typeof getCoverageAhead>> {
  const { site, at } = await getOwnSite(tx, actor, asked, daysAhead)
  const { clientUid, siteUid, day } = at
  const buildingUids = site.buildings.map(({ uid }) => uid)
  const wanted = { siteUid, today: site.today, day, days: daysAhead, buildingUids }
  const { floors, days } = await coverageOfDay(tx, clientUid, wanted)
  const byBuilding = Map.groupBy(floors.toReversed(), ({ buildingUid }) => buildingUid)
  return {
    site: { id: siteUid, name: site.name },
    day,
    days,
    has_floor_wardens: await queries.hasFloorWardens(tx, { ...at, day: site.today }),
    buildings: site.buildings.map(({ uid, name }) => ({
      id: uid,
      name,
      floors: (byBuilding.get(uid) ?? []).map((floor) => ({
        id: floor.uid,
        name: floor.name,
        wardens: floor.cells.flatMap(({ accepted }) => accepted),
        offered: floor.cells.reduce((sum, { offered }) => sum + offered, 0),
      })),
    })),
  }
}

export async function presentAskable(
  tx: Tx,
  actor: Actor,
  { floorId, day }: { floorId: FloorUid; day: string },
): Promise<{ people: AskedAhead[] }> {
  const { at } = await getOwnSite(tx, actor, day, daysAhead)
  await requireFloor(tx, actor, floorId)
  const people = await queries.listAskable(tx, at, { floorUid: floorId, most: mostAsked })
  return {
    people: people.map((row) => ({
      person: row.personUid,
      name: row.name,
      role: row.roleName,
      why: reasonOf(row),
      asked: row.asked,
    })),
  }
}

function reasonOf({ floorName, away, hasFloor, isFree }: queries.AskableRow): string {
  if (!hasFloor) return 'no floor of their own'
  const distance = away === null ? 'another building' : `${away} ${away === 1 ? 'floor' : 'floors'} away`
  return [floorName, isFree && 'has another warden', distance].filter(Boolean).join(', ')
}

/** Told by email or text. Throws `invalid_transition` 'Already asked.' */
export async function askForOneDay(
  app: Services,
  tx: Tx,
  actor: Actor,
  { floorId, day, personId }: CallInput<typeof askForDay>['body'],
): Promise<CallAnswer<typeof askForDay>> {
  const { at } = await getOwnSite(tx, actor, day, daysAhead)
  await requireFloor(tx, actor, floorId)
  await holdDirectory(tx, actor.clientUid)
  const [person] = await queries.listAskable(tx, at, { floorUid: floorId, personUid: personId, most: 1 })
  if (!person) throw new Refusal('not_found')
  const { roleUid } = person
  await offerDay(app, tx, journalActor(actor), { ...at, floorUid: floorId, personUid: personId, roleUid })
  return { status: 'offered' }
}

/** Without an assignment there is no site, and no day. */
export async function presentOwnDays(tx: Tx, actor: Actor): Promise<CallAnswer<typeof getOwnDays>> {
  if (!actor.assignment) return { days: [], near: [] }
  const { at } = await getOwnSite(tx, actor, undefined, ownDays)
  const days = await queries.listOwnDays(tx, at, actor.personUid, ownDays)
  const near = []
  for (const { day } of days.slice(0, nearDays)) {
    const floors = await queries.listNear(tx, { ...at, day }, actor.personUid)
    near.push(...floors.map(({ uid, name, building }) => ({ id: uid, name, building, day })))
  }
  return { days: days.map(presentDay), near }
}

const presentDay = ({ day, isIn, places }: queries.OwnDayRow): OwnDay => ({ day, in: isIn, places })

/** Of all own assignments at the site on that day. Throws `not_found` if there is none. */
export async function setDay(tx: Tx, actor: Actor, input: { day: string; in: 'yes' | 'no' }): Promise<{ day: OwnDay }> {
  const { at } = await getOwnSite(tx, actor, input.day, ownDays)
  const mark = input.in === 'yes' ? queries.markIn : queries.markNotIn
  if ((await mark(tx, at, actor.personUid)) === 0) throw new Refusal('not_found')
  const [own] = await queries.listOwnDays(tx, at, actor.personUid, 1)
  return { day: presentDay(own as queries.OwnDayRow) }
}

/** The lock of the directory decides between two who take one floor. The other reads who has it. */
export async function takeForOneDay(
  app: Services,
  tx: Tx,
  actor: Actor,
  { floorId, day }: CallInput<typeof takeForDay>['body'],
): Promise<CallAnswer<typeof takeForDay>> {
  const { at } = await getOwnSite(tx, actor, day, nearDays)
  await requireFloor(tx, actor, floorId)
  await holdDirectory(tx, actor.clientUid)
  const holder = await queries.findHolder(tx, at, floorId)
  if (holder !== undefined) throw new Refusal('floor_taken', `${holder} has just taken it. Thank you.`)
  const [near] = await queries.listNear(tx, at, actor.personUid, floorId)
  if (!near) throw new Refusal('not_found')
  const { roleUid } = near
  await takeDay(app, tx, journalActor(actor), { ...at, floorUid: floorId, personUid: actor.personUid, roleUid })
  return { status: 'accepted' }
}

/** The site of the current assignment, and the day, which is one of the next `days` there. */
async function getOwnSite(tx: Tx, { clientUid, assignment }: Actor, asked: string | undefined, days: number) {
  const site = assignment && (await findSiteWithBuildings(tx, clientUid, assignment.siteUid))
  if (!site) throw new Refusal('not_found')
  const day = asked ?? site.today
  const ahead = (Date.parse(day) - Date.parse(site.today)) / 86_400_000
  if (!(ahead >= 0 && ahead < days))
    throw new Refusal('invalid_request', `Choose one of the next ${days} days.`, ['day'])
  return { site, at: { clientUid, siteUid: site.uid, day } }
}

/** A floor in use of the own site. Throws `not_found`. */
async function requireFloor(tx: Tx, { clientUid, assignment }: Actor, floorUid: FloorUid): Promise<void> {
  if (!assignment || !(await queries.isFloorOf(tx, { clientUid, siteUid: assignment.siteUid, floorUid })))
    throw new Refusal('not_found')
}
