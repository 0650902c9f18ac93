import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/http/services.ts'
import { takeRecentOfNetwork } from '#server/platform/db/network-limits.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Network } from '#server/platform/network.ts'
import { sha256 } from '#server/platform/secrets.ts'

/** Wrong tokens of one network. */
const wrongTokens = { limit: 20, minutes: 1 }
const readsPerMinute = 60

/** The screens of a building share one address, so each token has a count of its own. */
export const limitOfToken = (app: FastifyInstance) =>
  app.rateLimit({
    max: readsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: ({ body }) => sha256((body as { token: string }).token).toString('base64'),
  })

/** Throws `link_ended`, or 429 if the network has sent too many wrong tokens. A right token is never refused. */
export async function refuseToken({ system, clock }: Services, network: Network): Promise<never> {
  const isFew = await takeRecentOfNetwork(system, 'wall', network, wrongTokens, clock.now())
  throw new Refusal(isFew ? 'link_ended' : 'too_many_attempts')
}
