import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/http.ts'
import { onDuty } from '#server/wardens/actor.ts'
import * as calls from '../calls/coverage.ts'
import { presentCandidates } from './candidates.service.ts'
import { claimFloor, giveBackFloor } from './claims.service.ts'
import { presentCoverage } from './coverage.service.ts'
import { answerOffer, offerFloor } from './offers.service.ts'

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
