import { getSafetySummary } from '@evac/contract/calls/building-safety.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { Refusal } from '../../platform/errors.ts'
import { absence, onDuty } from '../../wardens/actor.ts'
import { safetySummary } from './building-safety.service.ts'

export async function buildingSafetyRoutes(app: FastifyInstance) {
  serve(app, getSafetySummary, async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { status: 'error' as const, message: new Refusal(reason).message }
    return read((tx) => safetySummary(tx, onDuty(actor)))
  })
}
