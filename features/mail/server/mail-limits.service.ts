import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { countEach, nextRecent, type ThrottleRule, takeRecent } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'

const hour = 60
const day = 24 * hour
/** Of one kind to one address. */
const ofRecipient = [
  { limit: 5, minutes: hour },
  { limit: 12, minutes: day },
] as const
const ofActor: ThrottleRule = { limit: 60, minutes: hour }
/** For ticked people. */
const ofActorInBulk: ThrottleRule = { limit: 500, minutes: hour }
/** Of an organisation a day, and as many more for each member of staff. */
const [ofOrganisation, ofEach] = [500, 2]

export interface MailWish {
  clientUid: ClientUid
  /** Who has them sent. */
  personUid: string | null
  kind: 'invitation' | 'offer'
  /** Addresses. */
  to: readonly string[]
  /** Of ticked people. */
  isBulk: boolean
}

/**
 * Counts mails that someone has sent to addresses that they name. Throws `too_many_requests` with the time at which the
 * next may go. Notices about someone's own sign-in are never counted. `system`: the transaction of the change, where it sees
 * all clients, so that one that is tried again counts once.
 */
export async function takeMails(
  system: Db,
  now: Date,
  { clientUid, personUid, kind, to, isBulk }: MailWish,
): Promise<void> {
  const take = async (key: string, rule: ThrottleRule) => {
    if (!(await takeRecent(system, key, rule, now)))
      throw await tooMany(system, clientUid, await nextRecent(system, key, rule))
  }
  for (const address of to) {
    for (const rule of ofRecipient) await take(`mail/${kind}/${rule.minutes}/${address.toLowerCase()}`, rule)
    await take(`mail/${isBulk ? 'bulk' : 'by'}/${clientUid}/${personUid}`, isBulk ? ofActorInBulk : ofActor)
    await takeOfOrganisation(system, clientUid, now)
  }
}

async function takeOfOrganisation(system: Db, clientUid: ClientUid, now: Date): Promise<void> {
  const rule = { limit: ofOrganisation, minutes: day }
  const [count = 0] = await countEach(system, [[`day/mail/${clientUid}`, rule]], now)
  if (count <= ofOrganisation || count <= ofOrganisation + ofEach * (await countStaff(system, clientUid))) return
  const dayMs = day * 60_000
  throw await tooMany(system, clientUid, new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs))
}

async function countStaff(system: Db, clientUid: ClientUid): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from person where client_uid = ${clientUid} and active and kind = 'staff'`.execute(
    system,
  )
  return rows[0]?.count ?? 0
}

/** 'Too many emails. Try again at 14:05 AEDT.' */
async function tooMany(system: Db, clientUid: ClientUid, at: Date): Promise<Refusal> {
  const { timezone } = await system
    .selectFrom('client')
    .select('timezone')
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
  const time = new Intl.DateTimeFormat('en-AU', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(Math.ceil(at.getTime() / 60_000) * 60_000))
  return new Refusal('too_many_requests', `Too many emails. Try again at ${time}.`)
}
