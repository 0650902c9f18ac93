import { ownTransactions, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import * as calls from '../../calls/building-safety.ts'
import { safetySummary } from './building-safety.service.ts'

export const buildingSafetyRoutes = routes(calls, {
  getSafetySummary: ownTransactions(async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { status: 'error' as const, message: new Refusal(reason).message }
    return read((tx) => safetySummary(tx, onDuty(actor)))
  }),
})
