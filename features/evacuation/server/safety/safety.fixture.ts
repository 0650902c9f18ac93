import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import type { WardenOver } from '#server/testing/given-wardens.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { type FilterSet, filterEvacuees, setEvacueeStatus } from '../../calls/safety.ts'

/** An event in both towers with a warden on duty, a Floor Warden of the ground floor of Tower A unless said otherwise. */
export async function evacueeSafety(server: TestServer, over: WardenOver = {}, buildings?: 'Tower A only') {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, over)
  const start = async () => {
    const event = await server.runningEvent(org, {
      buildings: buildings ? [org.buildingUid] : [org.buildingUid, org.otherBuildingUid],
    })
    const call = await server.onDuty(warden)
    const filter = (filters: Partial<FilterSet> = {}) =>
      call(filterEvacuees, { query: {}, body: { ...defaultFilters, ...filters } })
    const names = async (filters: Partial<FilterSet> = {}) =>
      (await filter(filters)).evacuees.map(({ name }) => name.replace(/ .*/, ''))
    const set = (evacueeId: PersonUid, status: string) => call(setEvacueeStatus, { body: { evacueeId, status } })
    return { ...event, call, filter, names, set }
  }
  /** Someone with this first name; on the ground floor of Tower A unless said otherwise. */
  const person = (firstName: string, floorUid: FloorUid = org.floorUid) =>
    server.given.occupant(org, { firstName, lastName: 'Quiet', floorUid })
  return { org, warden, person, start }
}
export const everyone = { area: 'everyone' } as const
