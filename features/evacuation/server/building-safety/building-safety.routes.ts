import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import { getSafetySummary } from '../../calls/building-safety.ts'
import { safetySummary } from './building-safety.service.ts'

export async function buildingSafetyRoutes(app: FastifyInstance) {
  serve(app, getSafetySummary, async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { status: 'error' as const, message: new Refusal(reason).message }
    return read((tx) => safetySummary(tx, onDuty(actor)))
  })
}
