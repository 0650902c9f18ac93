import { doneOf } from '#kernel/action-words.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { Candidates } from '../calls/coverage.ts'
import { findPlace, type PlaceUid } from './coverage.queries.ts'
import { isQuietFor } from './floor-claims.queries.ts'
import { ofEvent } from './floor-claims.service.ts'
import { type CandidateRow, listCandidates, listOthers } from './offer-candidates.queries.ts'

export async function presentCandidates(db: Db, actor: DutyActor, floorId: PlaceUid): Promise<Candidates> {
  const event = ofEvent(actor)
  const place = await findPlace(db, event, floorId)
  if (!place) throw new Refusal('not_found')
  if (await isQuietFor(db, event, floorId, null)) throw new Refusal('quiet_building')
  const candidates = await listCandidates(db, event, place)
  const others = await listOthers(db, event, place)
  return {
    candidates: candidates.map((row) => ({
      wardenSignInUid: row.signInUid,
      name: row.name,
      reason: reasonOf(row),
      phone: row.mobile,
    })),
    others: others.map(({ signInUid, name, roleName, mobile, status }) => ({
      wardenSignInUid: signInUid,
      name,
      role: roleName,
      status: status === 'unknown' ? 'Unknown' : 'Off duty',
      phone: mobile,
    })),
  }
}

/** 'Level 11, cleared, 1 floor away'. */
function reasonOf({ roleName, floorName, otherBuilding, floorsAway, isFree, isCleared, action }: CandidateRow): string {
  if (floorName === null) return roleName
  const done = doneOf(action ?? 'evacuate')
  const state = isCleared ? done : isFree ? 'has a second warden' : `not ${done}`
  return [floorName, state, otherBuilding ?? awayOf(floorsAway)].filter((word) => word !== null).join(', ')
}

const awayOf = (floors: number | null) =>
  floors === null ? null : `${floors} ${floors === 1 ? 'floor' : 'floors'} away`
