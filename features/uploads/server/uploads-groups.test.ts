import { expect, test } from 'vitest'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import type { GroupUid, SiteUid, UploadUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { changesOf, rowsOf } from '#server/testing/import-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { listUploadProblems, undoUpload } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>

/** 'CODE Name: members' of each group in use, and the members of those out of use. */
async function groupsOf({ db }: Uploading) {
  const rows = await rowsOf<{ t: string }>(
    db,
    `select case when g.active then g.code || ' ' || g.name else g.code || ' out of use' end || ': ' ||
       coalesce((select string_agg(p.code, ' ' order by p.code) from people_group_member m join person p on p.uid = m.person_uid
         where m.group_uid = g.uid), '') as t
     from people_group g order by g.code`,
  )
  return rows.map(({ t }) => t)
}

const problemsOf = async (at: Uploading, uid: UploadUid) =>
  (await at.call(listUploadProblems, { params: { uid } })).problems.map(
    ({ file, line, column, reason }) => `${file} ${line} ${column} ${reason}`,
  )

const files = {
  'people.csv': 'code,first_name,last_name,floor\nP9,Nina,Novak,B1/G\n',
  'groups.csv': 'code,name\nOLD,Tenants\nNEW,New Tenant\n',
  'group_members.csv': 'group,person\nOLD,P1\nOLD,P2\nNEW,P9\nNEW,P2\n',
}

test('IMP-03 IMP-07 IMP-14 PPL-18 files add groups and members, the same ones again change nothing, and an undo takes them back', async () => {
  await using at = await openUploading({
    'groups.csv': 'code,name\nOLD,Old Tenants\n',
    'group_members.csv': 'group,person\nOLD,P1\nOLD,P3\n',
  })
  const before = await groupsOf(at)

  const { uid, files: shown } = await at.check(files)
  await at.apply(uid)
  const between = await groupsOf(at)
  const again = await at.check(files)
  const byCommand = await importOrganisation({ db: at.db, folder: at.folder.path })

  expect(at.troubles).toEqual([])
  expect(before).toEqual(['OLD Old Tenants: P1 P3'])
  expect(shown.slice(1)).toEqual([
    { file: 'groups.csv', added: 1, changed: 1, ended: 0, left: 0 },
    { file: 'group_members.csv', added: 3, changed: 0, ended: 0, left: 0 },
  ])
  expect((await at.changes(uid, { file: 'group_members.csv' }))[0]).toMatchObject({
    kind: 'added',
    line: 3,
    title: 'P2 Ben Brandt, OLD',
    cells: [
      { column: 'group', before: null, after: 'OLD' },
      { column: 'person', before: null, after: 'P2' },
    ],
  })
  expect(between).toEqual(['NEW New Tenant: P2 P9', 'OLD Tenants: P1 P2 P3'])
  expect(again).toMatchObject({ problems: 0, files: [], may_apply: false })
  // the folder has the name from before
  expect(changesOf(byCommand)).toEqual({ 'groups.csv': { created: 0, updated: 1, ended: 0 } })
  await rowsOf(at.db, "update people_group set name = 'Tenants' where code = 'OLD'")

  expect(await at.undo(uid)).toMatchObject({ state: 'undone', problems: 0 })
  expect(await groupsOf(at)).toEqual(['NEW out of use: ', ...before])
  const told = await rowsOf(
    at.db,
    `select subject_type as of, count(before ->> 'group_uid')::int as out, count(after ->> 'group_uid')::int as in, count(*)::int as all
     from journal where action = 'group_changed' and actor_person_uid is not null group by 1 order by 1`,
  )
  expect(told).toEqual([
    { of: 'group', out: 0, in: 0, all: 4 },
    { of: 'person', out: 3, in: 3, all: 6 },
  ])
})

test('IMP-03 IMP-14 files and an undo leave a group in use while someone administers it', async () => {
  await using at = await openUploading()
  const { uid } = await at.check(files)
  await at.apply(uid)
  const [group] = await rowsOf<{ uid: GroupUid }>(at.db, "select uid from people_group where code = 'NEW'")
  await givenAdministrator(at.server, at.org, { reach: 'group', groupUid: group?.uid as GroupUid })

  const ended = await at.check({ 'groups.csv': 'code,name,active\nNEW,New Tenant,no\n' })

  const reason = 'ends a group that has an administrator: revoke their access first'
  expect(await problemsOf(at, ended.uid)).toEqual([`groups.csv 2 active ${reason}`])
  expect(await at.undo(uid)).toMatchObject({ state: 'undone', problems: 1 })
  expect(await problemsOf(at, uid)).toEqual([`groups.csv 3  NEW New Tenant: Active ${reason}`])
  expect(await groupsOf(at)).toEqual(['NEW New Tenant: ', 'OLD out of use: '])
})

test('IMP-03 IMP-04 codes of no one and of another organisation, rows and names that come twice are bad cells', async () => {
  await using at = await openUploading({ 'groups.csv': 'code,name\nOLD,Tenants\n' })
  const other = await at.server.given.organisation()
  await at.server.given.occupant(other)
  await givenGroup(at.server, other)
  const [theirs] = await rowsOf<{ group: string; person: string }>(
    at.db,
    `select g.code as group, p.code as person from people_group g join person p on p.client_uid = g.client_uid
     where g.client_uid = '${other.clientUid}'`,
  )
  const { uid } = await at.check({
    'groups.csv': 'code,name\nNEW,TENANTS\nNEXT,Next\nNEXT,Next\n',
    'group_members.csv': `group,person\nNONE,P1\nOLD,NONE\n${theirs?.group},P1\nOLD,${theirs?.person}\nOLD,P1\nOLD,P1\n,P1\n`,
  })

  expect(await problemsOf(at, uid)).toEqual([
    "groups.csv 2 name differs from the name of 'OLD' only in case or spaces",
    'groups.csv 4 code is already on line 3',
    "group_members.csv 2 group 'NONE' is not a known group",
    "group_members.csv 3 person 'NONE' is not a known person",
    `group_members.csv 4 group '${theirs?.group}' is not a known group`,
    `group_members.csv 5 person '${theirs?.person}' is not a known person`,
    'group_members.csv 7 person is already on line 6',
    'group_members.csv 8 group is empty',
  ])
})

test('IMP-03 PPL-18 at most 2,000 groups are in use; those out of use do not count', async () => {
  await using at = await openUploading({ 'groups.csv': 'code,name,active\nOLD,Old,yes\nOUT,Out,no\n' })
  const rows = Array.from({ length: 2_000 }, (_, n) => `T${n},Tenant ${n}`)

  const many = await at.check({ 'groups.csv': `code,name\n${rows.join('\n')}\n` })
  const all = await at.check({ 'groups.csv': `code,name\n${rows.slice(1).join('\n')}\n` })

  expect(await problemsOf(at, many.uid)).toEqual(['groups.csv 2001 code is beyond the 2,000 groups that may be in use'])
  expect(all).toMatchObject({ problems: 0, added: 1_999 })
})

test('IMP-03 ORG-10 groups are for the whole organisation alone: to bring in, and to take back', async () => {
  await using at = await openUploading()
  const [site] = await rowsOf<{ uid: SiteUid }>(at.db, 'select uid from site')
  const ofSite = await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as SiteUid })
  const by = await asAdministrator(at.server, ofSite)
  const { uid } = await at.check(files)
  await at.apply(uid)
  await rowsOf(
    at.db,
    `update administrator set reach = 'site', site_uid = '${site?.uid}' where uid = '${at.admin.administratorUid}'`,
  )

  const reason = 'You can upload people.csv and assignments.csv only.'
  expect((await at.check(files, { by })).left_out).toEqual([
    { file: 'groups.csv', reason },
    { file: 'group_members.csv', reason },
  ])
  await expect(at.call(undoUpload, { params: { uid } }, withKey())).rejects.toMatchObject({ code: 'forbidden' })
})

/** A group with P1, its administrator, and someone else's group with P2. */
async function ofGroup(at: Uploading) {
  const own = await givenGroup(at.server, at.org)
  const other = await givenGroup(at.server, at.org)
  for (const [code, group] of [
    ['P1', own],
    ['P2', other],
  ])
    await rowsOf(
      at.db,
      `insert into people_group_member (client_uid, group_uid, person_uid)
       select client_uid, '${group}', uid from person where code = '${code}'`,
    )
  const given = await givenAdministrator(at.server, at.org, { reach: 'group', groupUid: own })
  const by = await asAdministrator(at.server, given)
  const membersOf = async () =>
    (
      await rowsOf<{ code: string }>(
        at.db,
        `select p.code from people_group_member m join person p on p.uid = m.person_uid and p.active
         where m.group_uid = '${own}' order by 1`,
      )
    ).map(({ code }) => code)
  const reasonsOf = async (uid: UploadUid) =>
    (await by(listUploadProblems, { params: { uid } })).problems.map(
      ({ file, line, column, reason }) => `${file} ${line} ${column} ${reason}`,
    )
  return { by, membersOf, reasonsOf, given }
}
const tenants =
  'code,first_name,last_name,email,floor\nP1,Ada,Adams,ada@small.test,B1/G\nT1,Tia,Toll,,B1/L1\nT2,Tom,Toll,,B1/G\n'

test('IMP-57 who administers a group adds people by a table: each belongs to the group, nothing else of the files is theirs', async () => {
  await using at = await openUploading()
  const { by, membersOf } = await ofGroup(at)
  const floor =
    'person,role,site,locations,date_from,date_to,status\nT1,FLOOR,S1,B1/L1,2026-01-01,2099-12-31,Accepted\n'

  const checked = await at.check(
    {
      'people.csv': tenants,
      'assignments.csv': floor,
      'groups.csv': 'code,name\nX,Mine\n',
      'sites.csv': 'code,name\n',
    },
    { by },
  )
  const applied = await at.apply(checked.uid, null, by)
  const again = await at.check({ 'people.csv': tenants, 'assignments.csv': floor }, { by })

  expect(checked.left_out.map(({ file }) => file)).toEqual(['groups.csv', 'sites.csv'])
  expect(checked.files.map(({ file, added, changed }) => [file, added, changed])).toEqual([
    ['people.csv', 2, 1],
    ['group_members.csv', 2, 0],
    ['assignments.csv', 1, 0],
  ])
  expect((await at.changes(checked.uid, { file: 'group_members.csv' }))[0]).toMatchObject({
    kind: 'added',
    line: null,
    title: expect.stringMatching(/^T1 Tia Toll, G\d+$/),
  })
  expect(applied).toMatchObject({ state: 'applied' })
  expect(await membersOf()).toEqual(['P1', 'T1', 'T2'])
  expect(again).toMatchObject({ problems: 0, files: [] })
  expect(at.troubles).toEqual([])
})

test('IMP-57 ORG-10 a code of someone beyond the group, and a role for them, are refused, and no one is added', async () => {
  await using at = await openUploading()
  const { by, membersOf, reasonsOf } = await ofGroup(at)
  const floor = 'person,role,site,locations,date_from,date_to,status\nP3,FLOOR,S1,B1/G,2026-01-01,2099-12-31,Accepted\n'

  const { uid } = await at.check(
    { 'people.csv': `${tenants}P2,Ben,Brandt,ben@small.test,B1/L1\n`, 'assignments.csv': floor },
    { by },
  )

  expect(await reasonsOf(uid)).toEqual([
    'people.csv 5 code is outside your reach',
    'assignments.csv 2 person is outside your reach',
  ])
  expect(await membersOf()).toEqual(['P1'])
})

test('IMP-57 IMP-14 they take it back themselves; who was changed since stays in the group', async () => {
  await using at = await openUploading()
  const { by, membersOf, reasonsOf } = await ofGroup(at)
  const { uid } = await at.check({ 'people.csv': tenants }, { by })
  await at.apply(uid, null, by)
  await rowsOf(at.db, "update person set first_name = 'Thomas' where code = 'T2'")

  expect(await at.undo(uid, by)).toMatchObject({ state: 'undone', problems: 1 })

  expect(await membersOf()).toEqual(['P1', 'T2'])
  expect(await reasonsOf(uid)).toEqual([expect.stringContaining('T2')])
  expect(await rowsOf(at.db, "select active from person where code = 'T1'")).toEqual([{ active: false }])
})

test('IMP-57 a table of a group is one transaction: a larger one is to be divided', async () => {
  await using at = await openUploading()
  const { by, reasonsOf } = await ofGroup(at)
  const rows = Array.from({ length: 1_700 }, (_, n) => `T${n},Tia,Toll${n},B1/L1`)

  const { uid } = await at.check({ 'people.csv': `code,first_name,last_name,floor\n${rows.join('\n')}\n` }, { by })

  expect(await reasonsOf(uid)).toEqual([
    'people.csv 0  adds too many people at once: divide it into tables of 1,000 rows',
  ])
})
