import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { Call } from '#kernel/client/client.ts'
import type { BuildingUid, EventUid, FloorUid } from '#kernel/ids.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import type { Warden, WardenOver } from '#server/testing/given-wardens.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import {
  type BuildingStatus,
  getBuildingStatus,
  listWardensOnDuty,
  type WardensOnDuty,
} from '../../calls/attendance.ts'
import { markNotAvailable } from '../../calls/report-in.ts'

export const statusOf = async (call: Call) => (await call(getBuildingStatus, {})) as BuildingStatus
export const onDutyOf = async (call: Call, building_id?: BuildingUid) =>
  (await call(listWardensOnDuty, { query: building_id ? { building_id } : {} })) as WardensOnDuty

/** An event in both towers with a chief on duty, and ways to put wardens into it. */
export async function attendanceGiven(server: TestServer) {
  const org = await server.given.organisation()
  const planned: [Warden, Attendance][] = []
  return {
    org,
    /** A warden who will have this attendance once the event runs. */
    async warden(firstName: string, attendance: Attendance, over: WardenOver = {}) {
      const warden = await server.given.warden(org, { firstName, ...over })
      planned.push([warden, attendance])
      return warden
    },
    async start() {
      const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
      for (const [warden, attendance] of planned) await attend(server, running.eventUid, warden, attendance)
      return running
    },
  }
}

/** By the calls that a phone makes. */
async function attend(server: TestServer, eventUid: EventUid, warden: Warden, attendance: Attendance) {
  if (attendance === 'unknown') return
  if (attendance === 'not_available') {
    const signIn = await server.signInOf(eventUid, warden)
    const call = await server.as(warden)
    await call(markNotAvailable, { body: { Warden_Sign_In_UID: signIn?.uid as never } })
    return
  }
  const call = await server.onDuty(warden)
  if (attendance === 'off_duty') await call(logout, {})
}

/** Gives the warden's assignment a further floor. */
export async function alsoOn(server: TestServer, warden: Warden, floorUid: FloorUid) {
  const { clientUid, assignmentUid } = warden
  await server.db.insertInto('assignmentLocation').values({ clientUid, assignmentUid, floorUid }).execute()
  return warden
}

/** The floors of Tower A and their wardens' first names, as the floor list has them. */
export const groupsOf = ({ selected_building: { floors } }: Pick<BuildingStatus, 'selected_building'>) =>
  Object.fromEntries(floors.map(({ name, wardens }) => [name, wardens.map(({ name }) => name.split(' ')[0])]))

export const towersOf = ({ buildingUid, otherBuildingUid }: Organisation) => ({ a: buildingUid, b: otherBuildingUid })
