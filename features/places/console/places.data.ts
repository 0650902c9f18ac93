import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { movePeople as movePeopleCall } from '#features/people/calls/people-bulk.ts'
import type { BuildingUid, FloorUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import type { CallInput, CallReply, GivenInput } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { addFloors, changePlace, listPlaces } from '../calls.ts'

export type Places = CallReply<typeof listPlaces>
export type { BuildingPlace, FloorPlace, SitePlace } from '../calls.ts'

export const sitesQuery = queryOptions({
  queryKey: ['places'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/places', {}, { signal }),
})

export const siteQuery = (site: SiteUid, building: BuildingUid | undefined) =>
  queryOptions({
    queryKey: ['places', site, building],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/places', { query: { site, ...(building && { building }) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Everything that shows places reads again. */
export const readPlacesAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: ['places'] })

const at = (uid: PlaceUid) => ({ params: { uid } })
export const addSite = (body: { name: string; code: string; timezone: string }) =>
  consoleCall('POST /api/console/places/site', { body })
export const addBuilding = (body: { site: SiteUid; name: string; code: string }) =>
  consoleCall('POST /api/console/places/building', { body })
export const addFloorsTo = (body: GivenInput<typeof addFloors>['body']) =>
  consoleCall('POST /api/console/places/floor', { body })
export const changePlaceTo = (uid: PlaceUid, body: GivenInput<typeof changePlace>['body']) =>
  consoleCall('POST /api/console/places/:uid', { ...at(uid), body })
export const moveFloor = (uid: PlaceUid, after: FloorUid | null) =>
  consoleCall('POST /api/console/places/:uid/move', { ...at(uid), body: { after } })
export const movePeople = (body: CallInput<typeof movePeopleCall>['body']) =>
  consoleCall('POST /api/console/people/move', { body })
export const retire = (uid: PlaceUid) => consoleCall('POST /api/console/places/:uid/retire', at(uid))
export const bringBack = (uid: PlaceUid) => consoleCall('POST /api/console/places/:uid/bring-back', at(uid))
