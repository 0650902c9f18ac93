import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import * as calls from '../calls/coverage.ts'
import { presentCoverage } from './coverage.service.ts'
import { claimFloor, giveBackFloor } from './floor-claims.service.ts'
import { answerOffer, offerFloor } from './floor-offers.service.ts'
import { presentCandidates } from './offer-candidates.service.ts'

export async function coverageRoutes(app: FastifyInstance) {
  serve(app, calls.getFloorCoverage, ({ actor, read }) => read((tx) => presentCoverage(tx, onDuty(actor))))
  serve(app, calls.listFloorCandidates, ({ actor, input, read }) =>
    read((tx) => presentCandidates(tx, onDuty(actor), input.params.floorId)),
  )
  serve(app, calls.claimFloor, ({ actor, input, write }) =>
    write((tx) => claimFloor(tx, onDuty(actor), input.body.floorId)),
  )
  serve(app, calls.giveBackFloor, ({ actor, input, write }) =>
    write((tx) => giveBackFloor(tx, onDuty(actor), input.body.floorId)),
  )
  serve(app, calls.offerFloor, ({ actor, input, write }) =>
    write((tx) => offerFloor(tx, onDuty(actor), input.body.floorId, input.body.wardenSignInUid)),
  )
  serve(app, calls.answerOffer, ({ actor, input, write }) =>
    write((tx) => answerOffer(tx, onDuty(actor), input.body.offer, input.body.take)),
  )
}
