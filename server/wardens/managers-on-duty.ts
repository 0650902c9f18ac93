import { sql } from 'kysely'
import type { EventUid } from '#kernel/ids.ts'
import { assignmentIsCurrent } from './live-session.ts'

/** si, a, r, st and p of those on duty who can manage the event: the chain of command. */
export const managersOnDuty = (eventUid: EventUid) => sql`
    warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid and p.active
    where si.event_uid = ${eventUid} and si.on_duty and ${assignmentIsCurrent} and 'Event_Management' = any (r.modules)`

/** By the role's place in the chain, then longest on duty, then by name. */
export const inChainOrder = sql`r.command_order nulls last, si.on_duty_at, p.name, si.uid`
