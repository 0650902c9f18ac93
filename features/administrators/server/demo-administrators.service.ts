import { insertGrant } from '#features/authority/server/writes/grants.queries.ts'
import { setDemoFactor } from '#features/authority/server/writes/second-factors.queries.ts'
import type { listSimulatedCodes } from '#features/texts/calls/simulator.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import { currentCode, newSecret } from '#server/platform/one-time-codes.ts'
import { decrypt, encrypt, keyring, type Secrets } from '#server/platform/secrets.ts'
import { type DemoAdministrator, listDemoAdministrators } from './demo-administrators.queries.ts'

const demo = {
  emails: ['admin@harbour.test', 'admin@riverside.test'],
  codes: ['HARBOUR', 'RIVERSIDE'],
}

const secretOf = (secrets: Pick<Secrets, 'secondFactors' | 'former'>, { secret, accountUid }: DemoAdministrator) =>
  secret ? decrypt(keyring(secrets, 'secondFactors'), secret, accountUid) : undefined

/** The demo's administrators of the whole organisation, with the Plans permission and a second factor. */
export async function keepDemoAdministrators(system: Db, secrets: Secrets): Promise<void> {
  await system.transaction().execute(async (tx) => {
    for (const one of await listDemoAdministrators(tx, demo)) {
      const { accountUid, clientUid, personUid } = one
      if (!secretOf(secrets, one))
        await setDemoFactor(tx, accountUid, encrypt(secrets.secondFactors, newSecret(), accountUid))
      if (one.isAppointed) continue
      const reach = { reach: 'organisation', siteUid: null, groupUid: null } as const
      await insertGrant(tx, { clientUid, personUid, ...reach, seesPlans: true, grantedByPersonUid: null })
    }
  })
}

/** What the authenticators of the demo's administrators show now. */
export async function listDemoCodes({
  system,
  secrets,
  clock,
}: Pick<Services, 'system' | 'secrets' | 'clock'>): Promise<CallAnswer<typeof listSimulatedCodes>> {
  const administrators = await listDemoAdministrators(system, demo)
  return administrators.flatMap((one) => {
    const secret = secretOf(secrets, one)
    return secret ? [{ email: one.email, name: one.name, code: currentCode(secret, clock.now()) }] : []
  })
}
