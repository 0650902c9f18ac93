import type { Brief } from '#features/events/calls/brief.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type DutyActor, hasFlag } from '#server/wardens/actor.ts'
import { isCovered, listAreaPlaces } from '#server/wardens/warden-area.ts'
import type { Coverage, FloorClaim, OverdueGaps } from '../calls/coverage.ts'
import { getCoverageMinutes, listPlaces, type OfEvent, type PlaceRow, type PlaceUid } from './coverage.queries.ts'
import { ofEvent } from './floor-claims.service.ts'
import { findOwnOffer, hasClaims, type OwnOffer } from './floor-offers.queries.ts'
import { presentClaim, presentGap, presentPlace } from './present-place.ts'

interface Covers {
  /** The names of those who have taken places of the event. */
  claimants: ReadonlyMap<PlaceUid, string>
  /** Buildings that are covered whole, with the name of their first warden on duty. */
  whole: ReadonlyMap<PlaceUid, { name: string | null }>
}

/** Who covers what beside a floor's own wardens. */
export async function coversOf(db: Db, event: OfEvent): Promise<Covers> {
  const places = await listPlaces(db, event)
  return {
    claimants: new Map(places.flatMap(({ placeUid, claim }) => (claim ? [[placeUid, claim.name] as const] : []))),
    whole: new Map(
      places.flatMap(({ placeUid, floorUid, ownName, claim }) =>
        floorUid === null ? [[placeUid, { name: ownName ?? claim?.name ?? null }] as const] : [],
      ),
    ),
  }
}

/** The gaps, the own building first, and what the warden has taken. */
export async function presentCoverage(db: Db, actor: DutyActor): Promise<Coverage> {
  const places = await listPlaces(db, ofEvent(actor))
  const own = await ownBuildings(db, actor, places)
  const gaps = places.flatMap((place) =>
    place.gapSince ? [presentGap(place, place.gapSince, own.has(place.buildingUid))] : [],
  )
  return {
    gaps: gaps.toSorted((a, b) => Number(b.own_building) - Number(a.own_building)),
    claims: claimsOf(places, actor),
    floors_named: places.some(({ floorUid }) => floorUid !== null),
  }
}

async function ownBuildings(db: Db, { assignment }: DutyActor, places: readonly PlaceRow[]) {
  if (assignment.areaDomain === 'Site') return new Set<unknown>()
  const area = await listAreaPlaces(db, assignment.uid)
  return new Set<unknown>(places.filter((place) => isCovered(place, area)).map(({ buildingUid }) => buildingUid))
}

/** What every page of an event shows. Most wardens hold nothing and were not asked: their answer costs no coverage. */
export async function briefCoverage(db: Db, actor: DutyActor): Promise<Pick<Brief, 'offer' | 'claims' | 'gaps'>> {
  const event = ofEvent(actor)
  const offer = await findOwnOffer(db, event, actor.signIn.uid)
  const isManager = hasFlag(actor, 'Module_Event_Management')
  const isNeeded = isManager || offer !== undefined || (await hasClaims(db, event, actor.signIn.uid))
  const places = isNeeded ? await listPlaces(db, event) : []
  return {
    offer: presentOffer(offer, places),
    claims: claimsOf(places, actor),
    gaps: isManager ? await overdueOf(db, actor, places) : null,
  }
}

/** An offer of a place that has got its own warden is no one's concern any more. */
function presentOffer(offer: OwnOffer | undefined, places: readonly PlaceRow[]): Brief['offer'] {
  const isOpen = offer && places.some(({ placeUid, gapSince }) => placeUid === offer.placeUid && gapSince !== null)
  if (!offer || (offer.takenBy === null && !isOpen)) return null
  return { id: offer.uid, place: presentPlace(offer), taken_by: offer.takenBy }
}

const claimsOf = (places: readonly PlaceRow[], { signIn }: DutyActor): FloorClaim[] =>
  places.flatMap((place) => (place.claim?.signInUid === signIn.uid ? [presentClaim(place, place.claim)] : []))

async function overdueOf(db: Db, { clientUid }: DutyActor, places: readonly PlaceRow[]): Promise<OverdueGaps | null> {
  const count = places.filter(({ isOverdue }) => isOverdue).length
  return count === 0 ? null : { count, minutes: await getCoverageMinutes(db, clientUid) }
}
