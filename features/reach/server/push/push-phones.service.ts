import { sql } from 'kysely'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { Refusal } from '#server/platform/errors.ts'
import { sha256 } from '#server/platform/secrets.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { getPushKey } from '../../calls/push.ts'
import { isPushEndpoint } from './push-hosts.ts'
import { openVapid } from './vapid.ts'

type Pushing = Pick<Services, 'config' | 'secrets' | 'system'>

export const presentKey = ({ config, secrets }: Pushing): CallAnswer<typeof getPushKey> => ({
  key: config.webPushContact ? openVapid(secrets.webPush, config.webPushContact).publicKey : null,
})

/** Throws `invalid_request` for an address that is at no push service, or where alerts are not set up. */
export async function turnOn({ config, system }: Pushing, { clientUid, personUid }: Actor, endpoint: string) {
  if (!config.webPushContact || !isPushEndpoint(endpoint, config.pushHosts))
    throw new Refusal('invalid_request', undefined, ['body/endpoint'])
  // the browser may have belonged to a person of another organisation, whose row this session does not see
  await sql`
    insert into push_phone (client_uid, person_uid, endpoint, endpoint_hash)
    values (${clientUid}, ${personUid}, ${endpoint}, ${sha256(endpoint)})
    on conflict (endpoint_hash) do update set client_uid = excluded.client_uid, person_uid = excluded.person_uid,
      endpoint = excluded.endpoint, seen_at = now()`.execute(system)
  return { status: 'done' as const }
}

/** The person who holds the phone turns it off: the address is known to that browser alone. */
export async function turnOff({ system }: Pushing, endpoint: string) {
  await sql`delete from push_phone where endpoint_hash = ${sha256(endpoint)}`.execute(system)
  return { status: 'done' as const }
}
