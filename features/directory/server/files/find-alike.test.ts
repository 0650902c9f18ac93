import { expect, test } from 'vitest'
import { givenFolder } from '#server/testing/given-folder.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { importOrganisation } from '../import.service.ts'
import { describeProblem } from './problems.ts'

test('IMP-56 a name in another case or with other spaces is that name, and two that are stored stay', async () => {
  await using server = await startTestServer()
  using folder = givenFolder()
  const run = async () => (await importOrganisation({ db: server.db, folder: folder.path })).errors.map(describeProblem)
  await run()
  folder.write('floors.csv', 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\nB1,L9,LEVEL  1,9\n')
  folder.write('roles.csv', 'code,name,area_domain,modules\nDECK,floor warden,Floor,\n')
  folder.write('groups.csv', 'code,name\nDENTAL,Dental practice\nTEETH,dental Practice\n')

  expect(await run()).toEqual([
    "floors.csv, line 4, column name: differs from the name of 'L1' only in case or spaces",
    "roles.csv, line 2, column name: differs from the name of 'FLOOR' only in case or spaces",
    "groups.csv, line 3, column name: differs from the name of 'DENTAL' only in case or spaces",
  ])

  await rowsOf(server.db, "update floor set name = 'level 1' where code = 'G'")
  folder.write('floors.csv', 'building,code,name,level\nB1,G,level 1,0\nB1,L1,Level 1,1\n')
  folder.write('roles.csv', 'code,name,area_domain,modules\nFLOOR,Floor warden,Floor,\n')
  folder.write('groups.csv', 'code,name\nDENTAL,Dental practice\n')
  expect(await run()).toEqual([])
})

test('IMP-56 a cell finds a place, a role and a group by its code in another case, never a person, nor one of two', async () => {
  await using server = await startTestServer()
  using folder = givenFolder()
  const run = async () => (await importOrganisation({ db: server.db, folder: folder.path })).errors.map(describeProblem)
  await run()
  folder.write('people.csv', 'code,first_name,last_name,floor\nP3,Cleo,Cho,b1 / g\n')
  folder.write('groups.csv', 'code,name\nDENTAL,Dental practice\nLAB,Laboratory\nlab,Annex\n')
  folder.write('group_members.csv', 'group,person\ndental,P3\n')
  folder.write('assignments.csv', 'person,role,site,locations,date_from,date_to\nP3,floor,s1,b1/l1,today,today+9\n')

  expect(await run()).toEqual([])
  expect(
    await rowsOf(
      server.db,
      `select f.code as floor, (select count(*)::int from people_group_member m where m.person_uid = p.uid) as groups,
         (select count(*)::int from warden_assignment a where a.person_uid = p.uid) as assignments
       from person p join floor f on f.uid = p.primary_floor_uid where p.code = 'P3'`,
    ),
  ).toEqual([{ floor: 'G', groups: 1, assignments: 1 }])

  folder.write('group_members.csv', 'group,person\nLab,P3\nDENTAL,p3\n')
  expect(await run()).toEqual([
    "group_members.csv, line 2, column group: 'Lab' is not a known group",
    "group_members.csv, line 3, column person: 'p3' is not a known person",
  ])
})
