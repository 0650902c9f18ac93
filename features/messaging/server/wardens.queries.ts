import { type RawBuilder, sql } from 'kysely'
import type {
  AssignmentUid,
  BuildingUid,
  ClientUid,
  EventUid,
  PersonUid,
  SignInUid,
  WardenRoleUid,
} from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import type { Db } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { isNamed } from '#server/platform/db/name-search.ts'
import { attendance } from '#server/wardens/attendance.ts'
import { areaRow, isEverywhere, shownAreas } from '#server/wardens/warden-area.ts'

/** An event from the view of one of its wardens. */
export interface View {
  clientUid: ClientUid
  eventUid: EventUid
  signInUid: SignInUid
  personUid: PersonUid
}

export interface WardenRow {
  assignmentUid: AssignmentUid
  signInUid: SignInUid
  name: string
  mobile: string | null
  smsRefused: boolean
  status: Attendance
  roleUid: WardenRoleUid
  roleName: string
  areas: { id: string; name: string }[]
  unread: boolean
}

/** Filter of a list. An absent field does not narrow it. */
export interface WardenFilter {
  assignmentUid?: AssignmentUid
  buildingUids?: readonly string[]
  roleUids?: readonly string[]
  statuses?: readonly Attendance[]
  /** Words of the name or the role. */
  text?: string
}

const columns = (view: View) => sql`
  si.assignment_uid, si.uid as sign_in_uid, p.name, p.mobile,
  exists (select from sms_refusal x where x.mobile = p.mobile) as sms_refused,
  ${attendance} as status, r.uid as role_uid, r.name as role_name,
  ${shownAreas} as areas,
  exists (select from message m where m.client_uid = si.client_uid and m.event_uid = si.event_uid
    and m.recipient_sign_in_uid = ${view.signInUid} and m.sender_sign_in_uid = si.uid and m.read_at is null) as unread`

/** All persons with an open participation in the event, except the viewer. */
const wardens = (view: View) => sql`
  warden_sign_in si
  join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
  join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
  join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
  join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
  cross join ${areaRow()}
  where si.client_uid = ${view.clientUid} and si.event_uid = ${view.eventUid} and si.closed_at is null
    and si.person_uid <> ${view.personUid}`

const isWanted = (text: string) =>
  sql`(${isNamed(sql`p.search_name`, text)} or ${isNamed(sql`name_fold(r.name)`, text)})`
const holds = (column: RawBuilder<unknown>, text: string) => sql`strpos(lower(${column}), ${text.toLowerCase()}) > 0`

/** By name. */
export async function listWardens(db: Db, view: View, filter: WardenFilter): Promise<WardenRow[]> {
  const { assignmentUid, buildingUids, roleUids, statuses, text } = filter
  const { rows } = await sql<WardenRow>`
    select ${columns(view)} from ${wardens(view)}
      ${assignmentUid ? sql`and si.assignment_uid = ${assignmentUid}` : sql``}
      ${buildingUids ? sql`and (area.building_uids && ${buildingUids}::uuid[] or ${isEverywhere(view.eventUid)})` : sql``}
      ${roleUids ? sql`and r.uid = any (${roleUids}::uuid[])` : sql``}
      ${statuses ? sql`and ${attendance} = any (${statuses}::text[])` : sql``}
      ${text ? sql`and ${isWanted(text)}` : sql``}
    order by ${nameInOrder}, si.uid`.execute(db)
  return rows
}

export interface ConversationRow extends WardenRow {
  lastText: string
  lastIsOwn: boolean
  lastAt: Date
}

/**
 * Wardens with whom the viewer has messages in this event, with the newest one, unread first, then by
 * newest message.
 */
export async function listConversations(db: Db, view: View, text: string): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    with talk as (
      select case when sender_sign_in_uid = ${view.signInUid} then recipient_sign_in_uid else sender_sign_in_uid end as other,
        max(seq) as latest, bool_or(${text ? holds(sql`text`, text) : sql`true`}) as holds_text
      from message
      where client_uid = ${view.clientUid} and event_uid = ${view.eventUid} and kind = 'warden'
        and (sender_sign_in_uid = ${view.signInUid} or recipient_sign_in_uid = ${view.signInUid})
      group by 1
    ), listed as (
      select ${columns(view)}, talk.latest
      from talk, ${wardens(view)} and si.uid = talk.other
        ${text ? sql`and (talk.holds_text or ${isWanted(text)})` : sql``}
    )
    select listed.*, left(m.text, ${limits.messageLength}) as last_text,
      m.sender_sign_in_uid = ${view.signInUid} as last_is_own, m.created_at as last_at
    from listed
    join message m on m.client_uid = ${view.clientUid} and m.seq = listed.latest
    order by unread desc, latest desc`.execute(db)
  return rows
}

export async function listEventBuildings(db: Db, view: View): Promise<{ uid: BuildingUid; name: string }[]> {
  return db
    .selectFrom('eventBuilding as eb')
    .innerJoin('building as b', (j) =>
      j.onRef('b.clientUid', '=', 'eb.clientUid').onRef('b.uid', '=', 'eb.buildingUid'),
    )
    .select(['b.uid', 'b.name'])
    .where('eb.clientUid', '=', view.clientUid)
    .where('eb.eventUid', '=', view.eventUid)
    .where('eb.active', '=', true)
    .orderBy('b.name')
    .orderBy('b.uid')
    .execute()
}

/** Newest first. */
export function listTemplatesOf(db: Db, clientUid: ClientUid, type: 'Warden' | 'Evacuee') {
  return db
    .selectFrom('messageTemplate')
    .select(['id', 'text', 'automatedResponse'])
    .where('clientUid', '=', clientUid)
    .where('type', '=', type)
    .where('active', '=', true)
    .orderBy('id', 'desc')
    .execute()
}
