import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import type { PlannedAssignment } from './difference-of-assignments.ts'

const assignmentColumns = {
  uid: 'uuid',
  personUid: 'uuid',
  roleUid: 'uuid',
  siteUid: 'uuid',
  dateFrom: 'date',
  dateTo: 'date',
  status: 'text',
} as const

export interface StatusChange {
  uid: string
  before: string
  after: string
}

/**
 * Updates dates, and the status only if its cell changed or a form sets it, so that a warden's answer in the app and a
 * change in the console survive the nightly import. Returns the changed rows. `before` and `after` are equal if only dates changed.
 */
export async function updateAssignments(
  tx: Tx,
  clientUid: string,
  rows: readonly PlannedAssignment[],
): Promise<StatusChange[]> {
  const { rows: changed } = await sql<StatusChange>`
    with held as (
      select a.uid, a.status as before, i.date_from, i.date_to, i.status as cell,
        i.overrules, (i.overrules or a.imported_status is distinct from i.status) and a.status <> i.status as answers
      from ${recordset(rows, { ...assignmentColumns, overrules: 'boolean' })}
      join warden_assignment a on a.client_uid = ${clientUid} and a.uid = i.uid
      where (a.date_from, a.date_to) is distinct from (i.date_from, i.date_to)
        or case when i.overrules then a.status else a.imported_status end is distinct from i.status
      for update of a
    )
    update warden_assignment a set date_from = held.date_from, date_to = held.date_to,
      imported_status = case when overrules then a.imported_status else held.cell end,
      status = case when answers then held.cell else a.status end,
      declined_note = case when answers then null else a.declined_note end,
      responded_at = case when answers then null else a.responded_at end,
      -- noting what the file says changes nothing that anyone reads
      updated_at = case when answers or (a.date_from, a.date_to) is distinct from (held.date_from, held.date_to) then now()
        else a.updated_at end
    from held
    where a.client_uid = ${clientUid} and a.uid = held.uid
    returning a.uid, held.before, a.status as after`.execute(tx)
  return changed
}

export async function insertAssignments(tx: Tx, clientUid: string, rows: readonly PlannedAssignment[]): Promise<void> {
  await sql`
    insert into warden_assignment
      (client_uid, uid, person_uid, role_uid, site_uid, date_from, date_to, status, imported_status)
    select ${clientUid}::uuid, i.uid, i.person_uid, i.role_uid, i.site_uid, i.date_from, i.date_to, i.status, i.status
    from ${recordset(rows, assignmentColumns)}`.execute(tx)
}

/** Replaces the areas of these assignments. */
export async function replaceLocations(
  tx: Tx,
  clientUid: string,
  assignmentUids: readonly string[],
  locations: readonly { assignmentUid: string; buildingUid: string | null; floorUid: string | null }[],
): Promise<void> {
  await sql`
    delete from assignment_location
    where client_uid = ${clientUid} and assignment_uid = any (${assignmentUids}::uuid[])`.execute(tx)
  await sql`
    insert into assignment_location (client_uid, assignment_uid, building_uid, floor_uid)
    select ${clientUid}::uuid, i.assignment_uid, i.building_uid, i.floor_uid
    from ${recordset(locations, { assignmentUid: 'uuid', buildingUid: 'uuid', floorUid: 'uuid' })}`.execute(tx)
}

/** Withdraws offered and accepted assignments. The note of the import stands in for the warden's reason. */
export async function endAssignments(tx: Tx, clientUid: string, uids: readonly string[]): Promise<StatusChange[]> {
  const { rows } = await sql<StatusChange>`
    with held as (
      select uid, status as before from warden_assignment
      where client_uid = ${clientUid} and uid = any (${uids}::uuid[]) and status in ('Offered', 'Accepted')
      for update
    )
    update warden_assignment a set status = 'Withdrawn', imported_status = 'Withdrawn', declined_note = 'Ended by import',
      updated_at = now()
    from held
    where a.client_uid = ${clientUid} and a.uid = held.uid
    returning a.uid, held.before, a.status as after`.execute(tx)
  return rows
}
