import { routes } from '#server/http/routes.ts'
import * as calls from '../calls/coverage.ts'
import { presentCoverage } from './coverage.service.ts'
import { claimFloor, giveBackFloor } from './floor-claims.service.ts'
import { answerOffer, offerFloor } from './floor-offers.service.ts'
import { presentCandidates } from './offer-candidates.service.ts'

export const coverageRoutes = routes(calls, {
  getFloorCoverage: ({ tx, actor }) => presentCoverage(tx, actor),
  listFloorCandidates: ({ tx, actor, params }) => presentCandidates(tx, actor, params.floorId),
  claimFloor: ({ tx, actor, body }) => claimFloor(tx, actor, body.floorId),
  giveBackFloor: ({ tx, actor, body }) => giveBackFloor(tx, actor, body.floorId),
  offerFloor: ({ tx, actor, body }) => offerFloor(tx, actor, body.floorId, body.wardenSignInUid),
  answerOffer: ({ tx, actor, body }) => answerOffer(tx, actor, body.offer, body.take),
})
