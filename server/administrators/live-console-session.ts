import { type RawBuilder, sql } from 'kysely'
import { consoleLimits } from '#kernel/console-kinds.ts'
import type { GroupUid, SiteUid } from '#kernel/ids.ts'
import { type Db, prepared } from '../platform/db/db.ts'
import type { Administrator, Reach } from './administrator.ts'

interface AdministratorRow extends Omit<Administrator, 'reach'> {
  reach: Reach['kind']
  siteUid: SiteUid | null
  groupUid: GroupUid | null
}

/**
 * The SHA-256 of a password's hash. Sessions and tickets keep it, so that a new password ends them, by whatever door it was
 * set.
 */
export const passwordDigest = sql<Buffer>`sha256(convert_to(ac.password_hash, 'UTF8'))`

/**
 * Who holds this console token. Undefined if the session, the password, the account, the person,
 * the organisation, the grant or the second factor has ended, or after an hour without use. A poll is no use.
 */
export async function findAdministrator(
  system: Db,
  tokenHash: Buffer,
  { isPoll }: { isPoll: boolean },
): Promise<Administrator | undefined> {
  const session = sql`(select * from console_session where token_hash = ${tokenHash} offset 0)`
  const { rows } = await sql<AdministratorRow>`${prepared('find_administrator')}
    with found as (${live(session)}), seen as (
      update console_session s set seen_at = now() from found
      where s.uid = found.session_uid and not ${isPoll}::boolean and found.seen_at < now() - interval '1 minute'
    )
    select * from found`.execute(system)
  return rows[0] && present(rows[0])
}

/** Who has this console session, as `findAdministrator` finds them. That is no use of the session. */
export async function findAdministratorOf(system: Db, sessionUid: string): Promise<Administrator | undefined> {
  const session = sql`(select * from console_session where uid = ${sessionUid})`
  const { rows } = await live(session).execute(system)
  return rows[0] && present(rows[0])
}

const live = (session: RawBuilder<unknown>) => sql<AdministratorRow>`
      select s.uid as session_uid, s.seen_at, ac.uid as account_uid, g.uid as administrator_uid, p.client_uid,
        p.uid as person_uid, g.reach, g.site_uid, g.group_uid, g.sees_plans,
        s.confirmed_at > now() - make_interval(mins => ${sql.lit(consoleLimits.confirmedMinutes)}) as is_confirmed
      from ${session} s
      join account ac on ac.uid = s.account_uid and ac.active and ${passwordDigest} = s.password_digest
      join client c on c.uid = ac.owner_client_uid and c.active
      join person p on p.client_uid = ac.owner_client_uid and p.account_uid = ac.uid and p.active
      join administrator g on g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null
      join second_factor f on f.account_uid = ac.uid
      where s.revoked_at is null and s.expires_at > now()
        and s.seen_at > now() - make_interval(mins => ${sql.lit(consoleLimits.idleMinutes)})`

function present({ reach, siteUid, groupUid, ...row }: AdministratorRow): Administrator {
  const { sessionUid, accountUid, administratorUid, clientUid, personUid, seesPlans, isConfirmed } = row
  return {
    sessionUid,
    accountUid,
    administratorUid,
    clientUid,
    personUid,
    seesPlans,
    isConfirmed,
    reach: reachOf(reach, siteUid, groupUid),
  }
}

/** The reach as it is stored in three columns. */
export function reachOf(kind: Reach['kind'], siteUid: SiteUid | null, groupUid: GroupUid | null): Reach {
  if (kind === 'site' && siteUid) return { kind, siteUid }
  if (kind === 'group' && groupUid) return { kind, groupUid }
  if (kind === 'organisation') return { kind }
  throw new Error('a grant without its place') // a check constraint forbids it
}
