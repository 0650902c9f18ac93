import type { FastifyInstance } from 'fastify'
import { keysOf } from '#features/reach/kinds.ts'
import { actOnSimulatedCall, getSimulatedCall } from '#features/texts/calls/simulator.ts'
import { routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { findRinging, findSimulated, noteReported } from './calling.queries.ts'
import { pressKey } from './press-key.service.ts'
import { callReasons } from './reasons.ts'

/** What rings on a phone of the simulator, and what its holder does. It exists only with the simulator. */
export async function simulatedCallsRoutes(app: FastifyInstance) {
  if (app.config.production || !app.config.smsGateways.includes('simulator')) return
  keepToThisMachine(app)
  await app.register(simulatedCalls)
}

const calls = { getSimulatedCall, actOnSimulatedCall }

const simulatedCalls = routes(calls, {
  getSimulatedCall: async ({ app, query }) => {
    const ringing = await findRinging(app.system, query.mobile)
    if (!ringing) return { call: null }
    const { uid, say, pickedUpAt } = ringing
    const isAnswered = pickedUpAt !== null
    return { call: { id: uid, answered: isAnswered, say: isAnswered ? say : '', keys: keysOf[ringing.class] } }
  },

  actOnSimulatedCall: async ({ app, params, body }) => {
    const key = await findSimulated(app.system, params.id)
    if (!key) throw new Refusal('not_found')
    if (body.act === 'key') {
      const { is } = await pressKey(app, key, body.key ?? '')
      return { taken: is === 'taken' }
    }
    const reported =
      body.act === 'answer'
        ? { state: 'picked_up' as const }
        : { state: 'ended' as const, reason: callReasons.noAnswer }
    await noteReported(app.system, key, { ...reported, gateway: 'simulator', providerId: `simulated-${key.uid}` })
    return { taken: false }
  },
})
