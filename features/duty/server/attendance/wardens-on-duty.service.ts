import { coversOf } from '#features/coverage/server/coverage.service.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { type Attendance, type AttendanceCounts, floorListOrder, onDutyOrder } from '#kernel/vocabulary.ts'
import { attendanceLabel } from '#kernel/words.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type {
  BuildingStatus,
  FloorGap,
  FloorWardenGroup,
  RoleWardens,
  SelectedBuilding,
  Warden,
  WardensOnDuty,
} from '../../calls/attendance.ts'
import {
  type BuildingRow,
  type GapRow,
  listBuildings,
  listBuildingWardens,
  listGaps,
  selectBuilding,
  type WardenRow,
} from './wardens-on-duty.queries.ts'

/** The buildings of the event, the floors of the selected one, and all floors without a warden. */
export async function buildingStatus(db: Db, actor: DutyActor): Promise<BuildingStatus> {
  const { buildings, selected, wardens } = await look(db, actor)
  const event = { clientUid: actor.clientUid, eventUid: actor.event.uid }
  const covers = await coversOf(db, event)
  return {
    buildings: buildings.map((row) => presentBuilding(row, wardens)),
    selected_building: presentSelected(actor, selected, wardens, covers),
    gaps: (await listGaps(db, event)).map(presentGap),
    ...presentSender(actor),
  }
}

const presentGap = ({ uid, name, buildingUid, buildingName, unknown, away, notReportedIn }: GapRow): FloorGap => ({
  id: uid,
  name: name ?? wholeName(buildingName),
  building: { id: buildingUid, name: buildingName },
  ...coverageOf({ on_duty: 0, unknown, not_available: away, off_duty: 0 }),
  not_reported_in: notReportedIn,
})

const wholeName = (building: string) => `${building} (whole building)`

export async function chooseBuilding(tx: Tx, actor: DutyActor, buildingUid: BuildingUid) {
  const { selected, wardens } = await look(tx, actor, buildingUid)
  await selectBuilding(tx, actor.sessionUid, selected.uid)
  const covers = await coversOf(tx, { clientUid: actor.clientUid, eventUid: actor.event.uid })
  return { selected_building: presentSelected(actor, selected, wardens, covers) }
}

export async function wardensOnDuty(db: Db, actor: DutyActor, buildingUid?: BuildingUid): Promise<WardensOnDuty> {
  const { buildings, wardens } = await look(db, actor, buildingUid)
  return {
    buildings: buildings.map((row) => presentBuilding(row, wardens)),
    roles: presentRoles(wardens),
    ...presentSender(actor),
  }
}

/** Throws `not_found` for a building that is not in the event, known elsewhere or not at all. */
async function look(db: Db, actor: DutyActor, askedUid: BuildingUid | null = null) {
  const view = { clientUid: actor.clientUid, eventUid: actor.event.uid, assignmentUid: actor.assignment.uid }
  const buildings = await listBuildings(db, view, { askedUid, rememberedUid: actor.selectedBuildingUid })
  const selected = buildings.find(({ isSelected }) => isSelected)
  if (!selected) throw new Refusal(askedUid ? 'not_found' : 'no_event')
  const place = { buildingUid: selected.uid, readerUid: actor.signIn.uid }
  return { buildings, selected, wardens: await listBuildingWardens(db, { ...view, ...place }) }
}

/** Counts the selected building from its list, so that one reply never contradicts itself. */
const presentBuilding = (row: BuildingRow, wardens: readonly WardenRow[]) => ({
  id: row.uid,
  name: row.name,
  selected: row.isSelected,
  total: row.isSelected
    ? countsOf(wardens)
    : { on_duty: row.onDuty, unknown: row.unknown, not_available: row.notAvailable, off_duty: row.offDuty },
})

/** Who has taken a place, and which buildings are covered whole, by the rule of all pages. */
type Covers = Awaited<ReturnType<typeof coversOf>>

function presentSelected(
  actor: DutyActor,
  building: BuildingRow,
  wardens: readonly WardenRow[],
  covers: Covers,
): SelectedBuilding {
  return {
    id: building.uid,
    name: building.name,
    event: { id: actor.event.uid, ...building.eventName },
    wardens: { total: wardens.length, ...countsOf(wardens) },
    floors: presentFloors(building, inOrder(wardens, floorListOrder), covers),
  }
}

/** Wardens of the whole building first, if there are any, then each floor, also without wardens. */
function presentFloors({ uid, name, floors }: BuildingRow, wardens: readonly WardenRow[], covers: Covers) {
  const whole = covers.whole.get(uid)
  const ofBuilding = wardens.filter(({ floorUids }) => floorUids.length === 0)
  const posts = wardens.flatMap((warden) => warden.floorUids.map((floorUid) => ({ floorUid, warden })))
  const byFloor = Map.groupBy(posts, ({ floorUid }) => floorUid)
  const group = (place: { uid: FloorUid | BuildingUid; name: string }, of: readonly WardenRow[]) => ({
    ...presentGroup(place, of),
    claimed_by: covers.claimants.get(place.uid) ?? null,
    covered_by: (place.uid !== uid && whole?.name) || null,
  })
  return [
    ...(ofBuilding.length > 0 || whole ? [group({ uid, name: wholeName(name) }, ofBuilding)] : []),
    ...(floors ?? []).map((floor) => group(floor, byFloor.get(floor.uid)?.map(({ warden }) => warden) ?? [])),
  ]
}

function presentGroup({ uid, name }: { uid: FloorUid | BuildingUid; name: string }, wardens: readonly WardenRow[]) {
  const counts = countsOf(wardens)
  return {
    id: uid,
    name,
    ...coverageOf(counts),
    wardens_count: wardens.length,
    wardens_on_duty_count: counts.on_duty,
    wardens_unknown_count: counts.unknown,
    wardens_not_available_count: counts.not_available + counts.off_duty,
    wardens: wardens.map(presentWarden),
  }
}

/** Whether the floor has a warden on duty. */
function coverageOf(counts: AttendanceCounts): Pick<FloorWardenGroup, 'colour' | 'status'> {
  if (counts.on_duty > 0) return { colour: 'green', status: 'Covered' }
  if (counts.unknown > 0) return { colour: 'yellow', status: 'Unknown' }
  if (counts.not_available + counts.off_duty > 0) return { colour: 'red', status: 'Not Covered' }
  return { colour: 'grey', status: 'No Floor Wardens' }
}

function presentRoles(wardens: readonly WardenRow[]): RoleWardens[] {
  const byRole = Map.groupBy(inOrder(wardens, onDutyOrder), ({ roleUid }) => roleUid)
  const roles = [...byRole].map(([id, group]) => ({
    id,
    name: group[0]?.roleName ?? '',
    total: countsOf(group),
    wardens: group.map(presentWarden),
  }))
  return roles.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** A warden as in all lists. */
export const presentWarden = (row: Omit<WardenRow, 'floorUids'>): Warden => ({
  id: row.assignmentUid,
  name: row.name,
  phone: row.mobile,
  status: attendanceLabel[row.status],
  role: row.roleName,
  areas: row.areas,
  unread: row.unread,
  wardenSignInUid: row.signInUid,
})

const presentSender = (actor: DutyActor) => ({
  warden_id: actor.assignment.uid,
  sms_allowed: actor.smsAllowed,
  senderWardenSignInUid: actor.signIn.uid,
})

/** Sorts by status and keeps the order by name within each. */
const inOrder = (wardens: readonly WardenRow[], order: readonly Attendance[]) =>
  wardens.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))

function countsOf(wardens: readonly WardenRow[]): AttendanceCounts {
  const counts: AttendanceCounts = { on_duty: 0, unknown: 0, not_available: 0, off_duty: 0 }
  for (const { status } of wardens) counts[status]++
  return counts
}
