import { sql } from 'kysely'
import type { ClientUid, GroupUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'

export interface Members {
  clientUid: ClientUid
  groupUid: GroupUid
  people: readonly PersonUid[]
}

/** The codes of a group and of a person. */
export interface CodedMember {
  group: string
  person: string
}

/** False if the group is out of use. Undefined if there is none. */
export async function isGroupInUse(tx: Tx, clientUid: ClientUid, uid: GroupUid): Promise<boolean | undefined> {
  const group = await tx
    .selectFrom('peopleGroup')
    .select('active')
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return group?.active
}

/** Returns those who were no members. */
export async function insertMembers(tx: Tx, { clientUid, groupUid, people }: Members): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    insert into people_group_member (client_uid, group_uid, person_uid)
    select ${clientUid}, ${groupUid}, uid from unnest(${people as PersonUid[]}::uuid[]) uid
    on conflict do nothing returning person_uid`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/** Returns those who were members. */
export async function deleteMembers(tx: Tx, { clientUid, groupUid, people }: Members): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    delete from people_group_member
    where client_uid = ${clientUid} and group_uid = ${groupUid} and person_uid = any (${people as PersonUid[]}::uuid[])
    returning person_uid`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/** Takes these people out of these groups. Returns those who were members. */
export async function deleteCoded(tx: Tx, clientUid: ClientUid, rows: readonly CodedMember[]) {
  const { rows: removed } = await sql<{ groupUid: GroupUid; personUid: PersonUid }>`
    delete from people_group_member m
    using ${recordset(rows, { group: 'text', person: 'text' })}
    join people_group gr on gr.client_uid = ${clientUid} and gr.code = i.group
    join person p on p.client_uid = ${clientUid} and p.code = i.person
    where m.client_uid = ${clientUid} and m.group_uid = gr.uid and m.person_uid = p.uid
    returning m.group_uid, m.person_uid`.execute(tx)
  return removed
}
