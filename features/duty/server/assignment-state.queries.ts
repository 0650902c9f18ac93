import { sql } from 'kysely'
import type { AssignmentUid, ClientUid, EventUid, PersonUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Attendance, EventKind } from '#kernel/vocabulary.ts'
import { type Db, prepared } from '#server/platform/db/db.ts'
import { attendance } from '#server/wardens/attendance.ts'
import { eventWord } from '#server/wardens/event-name.ts'
import { assignmentHasNotLapsed } from '#server/wardens/live-session.ts'
import { areaRow } from '#server/wardens/warden-area.ts'

/** An assignment as of today, with everything that its card shows. */
export interface Standing {
  clientUid: ClientUid
  accountUid: string
  assignmentUid: AssignmentUid
  personUid: PersonUid
  personEmail: string | null
  siteUid: SiteUid
  clientName: string
  siteName: string
  roleName: string
  areaDomain: 'Site' | 'Building' | 'Floor' | 'Area'
  modules: string[]
  status: 'Offered' | 'Accepted'
  dateFrom: string
  dateTo: string
  today: string
  locations: string[]
  eventUid: EventUid | null
  eventType: string | null
  eventKind: EventKind | null
  signInUid: SignInUid | null
  /** `unknown` without a participation. */
  attendance: Attendance
}

/**
 * Offered and accepted assignments of these accounts that have not lapsed. The event of an assignment
 * is set only if there is an open participation. Looks across clients, so use the system role.
 */
export async function listStandings(system: Db, accountUids: readonly string[]): Promise<Standing[]> {
  const { rows } = await sql<Standing>`${prepared('list_standings')}
    select a.client_uid, p.account_uid, a.uid as assignment_uid, p.uid as person_uid, p.email as person_email, st.uid as site_uid,
      c.name as client_name, st.name as site_name, r.name as role_name, r.area_domain, r.modules,
      a.status, a.date_from, a.date_to, (now() at time zone st.timezone)::date as today,
      coalesce(area.names, '{}') as locations,
      e.uid as event_uid, ${eventWord} as event_type, e.kind as event_kind,
      si.uid as sign_in_uid, ${attendance} as attendance
    from person p
    join account ac on ac.uid = p.account_uid and ac.active
    join client c on c.uid = p.client_uid and c.active
    join warden_assignment a on a.client_uid = p.client_uid and a.person_uid = p.uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    cross join ${areaRow()}
    left join event e on e.client_uid = a.client_uid and e.site_uid = a.site_uid and e.ended_at is null
    left join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid
      and si.assignment_uid = a.uid and si.closed_at is null
    left join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where p.account_uid = any (${accountUids}::uuid[]) and p.active
      and a.status in ('Offered', 'Accepted')
      and ${assignmentHasNotLapsed}`.execute(system)
  return rows
}
