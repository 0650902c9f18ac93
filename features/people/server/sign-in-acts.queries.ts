import { sql } from 'kysely'
import type { ReachKind } from '#kernel/console-kinds.ts'
import type { AssignmentUid, ClientUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { isOpen } from './people.queries.ts'

export interface Asked {
  role: string
  /** YYYY-MM-DD */
  from: string
  to: string
  /** Its floors and buildings, or the site. */
  place: string
}

export interface Invited {
  personUid: PersonUid
  firstName: string
  lastName: string
  name: string
  email: string | null
  mobile: string | null
  isActiveStaff: boolean
  accountUid: string | null
  accountEmail: string | null
  username: string | null
  hasPassword: boolean
  hasSecondFactor: boolean
  /** Null for a person without a grant. */
  reach: ReachKind | null
  /** The first assignment that is open. */
  asked: Asked | null
}

/** People within reach, held in one order. The transaction sees accounts. */
export async function lockInvited(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Pick<Within, 'person'>,
  people: readonly PersonUid[],
): Promise<Invited[]> {
  const { rows } = await sql<Invited>`
    select p.uid as person_uid, p.first_name, p.last_name, p.name, p.email, p.mobile,
      p.active and p.kind = 'staff' as is_active_staff, p.account_uid, ac.email as account_email, ac.username,
      ac.password_hash is not null as has_password,
      exists (select from second_factor sf where sf.account_uid = ac.uid) as has_second_factor,
      (select g.reach from administrator g
        where g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null) as reach,
      (select json_build_object('role', r.name, 'from', a.date_from, 'to', a.date_to, 'place', coalesce(
          (select string_agg(coalesce(fb.name || ' - ' || f.name, b.name), ', ' order by fb.name, f.name, b.name)
            from assignment_location l
            left join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
            left join building fb on fb.client_uid = f.client_uid and fb.uid = f.building_uid
            left join building b on b.client_uid = l.client_uid and b.uid = l.building_uid
            where l.client_uid = a.client_uid and l.assignment_uid = a.uid), st.name))
        from warden_assignment a
        join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
        join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
        where a.client_uid = p.client_uid and a.person_uid = p.uid and ${isOpen}
        order by a.date_from, a.uid limit 1) as asked
    from person p left join account ac on ac.uid = p.account_uid
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[]) and ${isWithin.person}
    order by p.uid for no key update of p`.execute(tx)
  return rows
}

/** Posts in running events, in the order of their sites. */
export async function listPosts(tx: Tx, clientUid: ClientUid, personUid: PersonUid) {
  const { rows } = await sql<{ siteUid: SiteUid; assignmentUid: AssignmentUid }>`
    select e.site_uid, si.assignment_uid from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    where si.client_uid = ${clientUid} and si.person_uid = ${personUid} and si.on_duty and si.closed_at is null
    order by e.site_uid, si.assignment_uid`.execute(tx)
  return rows
}

export function getOrganisation(tx: Tx, clientUid: ClientUid) {
  return tx
    .selectFrom('client')
    .select(['name', 'timezone', 'smsAllowed'])
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
}
