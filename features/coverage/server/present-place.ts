import type { CoverageGap, FloorClaim } from '../calls/coverage.ts'
import type { PlaceRow } from './coverage.queries.ts'

type Place = Pick<PlaceRow, 'placeUid' | 'buildingUid' | 'buildingName' | 'floorUid' | 'floorName'>

export const presentPlace = ({ placeUid, buildingUid, buildingName, floorUid, floorName }: Place) => ({
  id: placeUid,
  name: floorName ?? buildingName,
  building: { id: buildingUid, name: buildingName },
  whole_building: floorUid === null,
})

export const presentClaim = (place: PlaceRow, claim: NonNullable<PlaceRow['claim']>): FloorClaim => ({
  ...presentPlace(place),
  since: new Date(claim.at).toISOString(),
  own_warden: place.ownName,
})

export const presentGap = (place: PlaceRow, since: Date, isOwnBuilding: boolean): CoverageGap => ({
  ...presentPlace(place),
  since: since.toISOString(),
  overdue: place.isOverdue,
  own_building: isOwnBuilding,
  asked: place.asked && { name: place.asked.name, seconds_ago: place.asked.secondsAgo },
  asked_before: place.askedBefore && { name: place.askedBefore.name, said_no: place.askedBefore.saidNo },
})
