import {
  type BuildingStatus,
  chooseBuilding,
  type FloorGap,
  type FloorWardenGroup,
  getBuildingStatus,
  listWardensOnDuty,
  type RoleWardens,
  type SelectedBuilding,
  type Warden,
  type WardensOnDuty,
} from '#features/duty/calls/attendance.ts'
import type { AssignmentUid, BuildingUid, EventUid, FloorUid, SignInUid, WardenRoleUid } from '#kernel/ids.ts'
import type { FakeServer } from './fake-server.ts'
import { someAssignment, someSignIn } from './stored-auth.ts'

const uid = (n: number) => `00000000-0000-4000-8000-00000000d${String(n).padStart(3, '0')}`
export const towerA = { id: uid(100) as BuildingUid, name: 'Tower A' }
export const towerB = { id: uid(101) as BuildingUid, name: 'Tower B' }
export const wardenId = (n: number) => uid(n) as AssignmentUid

/** 'Warden 01', on duty, of Level 1. */
export const warden = (n: number, more: Partial<Warden> = {}): Warden => ({
  id: wardenId(n),
  name: `Warden ${String(n).padStart(2, '0')}`,
  phone: `6149100${String(n).padStart(4, '0')}`,
  status: 'On Duty',
  role: 'Floor Warden',
  areas: [{ id: uid(201), name: 'Tower A - Level 1' }],
  unread: false,
  wardenSignInUid: uid(500 + n) as SignInUid,
  ...more,
})
/** The signed-in warden's own row. */
export const ownRow = warden(90, { id: someAssignment, name: 'Grace Okafor', wardenSignInUid: someSignIn })

const count = (wardens: readonly Warden[], ...statuses: Warden['status'][]) =>
  wardens.filter(({ status }) => statuses.includes(status)).length
const totalOf = (wardens: readonly Warden[]) => ({
  on_duty: count(wardens, 'On Duty'),
  unknown: count(wardens, 'Unknown'),
  not_available: count(wardens, 'Not Available'),
  off_duty: count(wardens, 'Off Duty'),
})

function coverage(wardens: readonly Warden[]): Pick<FloorWardenGroup, 'colour' | 'status'> {
  if (count(wardens, 'On Duty')) return { colour: 'green', status: 'Covered' }
  if (count(wardens, 'Unknown')) return { colour: 'yellow', status: 'Unknown' }
  return wardens.length ? { colour: 'red', status: 'Not Covered' } : { colour: 'grey', status: 'No Floor Wardens' }
}

const group = (id: FloorWardenGroup['id'], name: string, wardens: Warden[]): FloorWardenGroup => ({
  id,
  name,
  ...coverage(wardens),
  wardens_count: wardens.length,
  wardens_on_duty_count: count(wardens, 'On Duty'),
  wardens_unknown_count: count(wardens, 'Unknown'),
  wardens_not_available_count: count(wardens, 'Not Available', 'Off Duty'),
  claimed_by: null,
  covered_by: null,
  wardens,
})

/** Level n with these wardens, as the server presents them. */
export const level = (n: number, ...wardens: Warden[]) => group(uid(200 + n) as FloorUid, `Level ${n}`, wardens)
export const wholeOf = ({ id, name }: typeof towerA, ...wardens: Warden[]) =>
  group(id, `${name} (whole building)`, wardens)

const sender = { warden_id: someAssignment, sms_allowed: true, senderWardenSignInUid: someSignIn }

const selected = (building: typeof towerA, floors: FloorWardenGroup[]): SelectedBuilding => {
  const wardens = floors.flatMap((floor) => floor.wardens)
  return {
    ...building,
    event: { id: uid(999) as EventUid, type: 'Fire', description: 'Fire or smoke' },
    wardens: { total: wardens.length, ...totalOf(wardens) },
    floors,
  }
}

const gapsOf = (building: typeof towerA, floors: FloorWardenGroup[]): FloorGap[] =>
  floors
    .filter(({ id, wardens_on_duty_count }) => id !== building.id && wardens_on_duty_count === 0)
    .map(({ id, name, colour, status, wardens }) => ({
      id: id as FloorUid,
      name,
      building,
      colour,
      status,
      not_reported_in: wardens
        .filter((one) => one.status === 'Unknown' || one.status === 'Off Duty')
        .map(({ wardenSignInUid, name }) => ({ wardenSignInUid, name })),
    }))

/** The floors of Tower A during a fire, and the gaps of both towers. */
export function buildingStatus(floors: FloorWardenGroup[], inB: FloorWardenGroup[] = []): BuildingStatus {
  const total = totalOf(floors.flatMap((floor) => floor.wardens))
  return {
    buildings: [
      { ...towerA, selected: true, total },
      { ...towerB, selected: false, total: totalOf([]) },
    ],
    selected_building: selected(towerA, floors),
    gaps: [...gapsOf(towerA, floors), ...gapsOf(towerB, inB)],
    ...sender,
  }
}

/** A server that knows the floors of both towers. */
export function serveFloors(server: FakeServer, floors: FloorWardenGroup[], inB: FloorWardenGroup[] = []) {
  server.answer(getBuildingStatus, buildingStatus(floors, inB))
  server.answer(chooseBuilding, ({ input: { body } }) => ({
    selected_building: body.buildingId === towerB.id ? selected(towerB, inB) : selected(towerA, floors),
  }))
}

export const role = (n: number, name: string, ...wardens: Warden[]): RoleWardens => ({
  id: uid(300 + n) as WardenRoleUid,
  name,
  total: totalOf(wardens),
  wardens,
})

/** Tower A's (or B's) wardens by role. */
export function wardensOnDuty(roles: RoleWardens[], building = towerA): WardensOnDuty {
  const total = totalOf(roles.flatMap(({ wardens }) => wardens))
  return {
    buildings: [towerA, towerB].map((one) => ({ ...one, selected: one.id === building.id, total })),
    roles,
    ...sender,
  }
}

/** A server that knows the roles of both towers. */
export function serveRoles(server: FakeServer, roles: RoleWardens[], inB: RoleWardens[] = []) {
  server.answer(listWardensOnDuty, ({ input: { query } }) =>
    query.building_id === towerB.id ? wardensOnDuty(inB, towerB) : wardensOnDuty(roles),
  )
}
