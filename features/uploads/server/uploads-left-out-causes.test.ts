import { expect, test } from 'vitest'
import type { UploadUid } from '#kernel/ids.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { listUploadProblems } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type At = Awaited<ReturnType<typeof openUploading>>

async function problemsOf(at: At, uid: UploadUid) {
  const { problems } = await at.call(listUploadProblems, { params: { uid } })
  return problems.map(({ file, line, column, reason }) => `${file} ${line} ${column}: ${reason}`)
}
const assignments = (rows: string) => `person,role,site,locations,date_from,date_to\n${rows}`
const people = (rows: string) => `code,first_name,last_name,email,floor,kind,visit_date\n${rows}`

test('IMP-58 an assignment whose role is left out names that row, also where the stored role would not fit', async () => {
  await using at = await openUploading()

  const upload = await at.check({
    'roles.csv':
      'code,name,area_domain,modules\nCHIEF,Chief Warden,Floor,Nonsense\nNEW,New Role,Campus,Floor_Evacuation\n',
    'assignments.csv': assignments(
      'P1,CHIEF,S1,B1/G,2027-01-01,2027-12-31\nP3,NEW,S1,B1/G,today,today+9\nP3,NEW,S1,,today+10,today+19\n',
    ),
  })

  expect(await problemsOf(at, upload.uid)).toEqual([
    expect.stringContaining("roles.csv 2 modules: 'Nonsense' is not one of"),
    expect.stringContaining('roles.csv 3 area_domain: is not one of'),
    "assignments.csv 2 role: 'CHIEF' is on line 2 of roles.csv, which is left out",
    "assignments.csv 3 role: 'NEW' is on line 3 of roles.csv, which is left out",
    "assignments.csv 4 role: 'NEW' is on line 3 of roles.csv, which is left out",
  ])
})

test('IMP-58 places, people and plans name the left-out row of what they need', async () => {
  await using at = await openUploading()
  await rowsOf(at.db, "update person set active = false where code = 'P3'")

  const upload = await at.check({
    'sites.csv': 'code,name\nS/3,Third\nS2,Second\n',
    'buildings.csv': 'site,code,name\nS2,B1,\nS/3,B8,Gate\nS9,B5,East House\n',
    'floors.csv': 'building,code,name,level\nB5,G,Ground,0\n',
    'people.csv': people('V1,Vera,Vos,vera@,B1/L1,staff,\nP3,Cleo,Cho,cleo@,B1/L1,staff,\n'),
    'groups.csv': 'code,name\nG1,\n',
    'group_members.csv': 'group,person\nG1,P2\n',
    'peeps.csv': 'person,assistance\nP3,Chair\n',
    'assignments.csv': assignments(
      'P2,FLOOR,S2,B1/L1,today+400,today+500\nV1,FLOOR,S1,B1/L1,today,today+9\nP1,FLOOR,S1,B5/G,today,today+9\n',
    ),
    'documents.csv': 'code,name,url,person\nD9,Own,https://small.test/a,P3\n',
  })

  expect(await problemsOf(at, upload.uid)).toEqual([
    "sites.csv 2 code: contains '/' or ';', which separate codes",
    'buildings.csv 2 name: is empty',
    "buildings.csv 3 site: 'S/3' is on line 2 of sites.csv, which is left out",
    "buildings.csv 4 site: 'S9' is not a known site",
    "floors.csv 2 building: 'B5' is on line 4 of buildings.csv, which is left out",
    'people.csv 2 email: is not an email address',
    'people.csv 3 email: is not an email address',
    'groups.csv 2 name: is empty',
    "group_members.csv 2 group: 'G1' is on line 2 of groups.csv, which is left out",
    'peeps.csv 2 person: is on line 3 of people.csv, which is left out',
    "assignments.csv 2 locations: 'B1' is on line 2 of buildings.csv, which is left out",
    "assignments.csv 3 person: 'V1' is on line 2 of people.csv, which is left out",
    "assignments.csv 4 locations: 'B5' is on line 4 of buildings.csv, which is left out",
    "documents.csv 2 person: 'P3' is on line 3 of people.csv, which is left out",
  ])
})

test('IMP-58 a retired place, a name and a sign-in name that a left-out row would free name that row', async () => {
  await using at = await openUploading({
    'buildings.csv': 'site,code,name,active\nS1,B1,North House,yes\nS1,B2,Old House,no\n',
  })

  const upload = await at.check({
    'buildings.csv': 'site,code,name,active\nS1,B1,South House,perhaps\nS1,B6,North House,yes\nS1,B2,Old House,yes\n',
    'floors.csv': 'building,code,name,level\nB2,G,Ground,0\n',
    'people.csv': people('P2,Ben,Brandt,ben.new@,B1/L1,staff,\nN5,Nia,North,ben@small.test,B1/L1,staff,\n'),
    'assignments.csv': assignments('N5,FLOOR,S1,B1/L1,today,today+9\n'),
  })

  expect(await problemsOf(at, upload.uid)).toEqual([
    'buildings.csv 2 active: is not one of yes, no',
    "buildings.csv 3 name: is also the name of 'B1': its row on line 2 is left out",
    'buildings.csv 4 active: reopens a retired place: restore it in the console',
    "floors.csv 2 building: 'B2' is on line 4 of buildings.csv, which is left out",
    'people.csv 2 email: is not an email address',
    'people.csv 3 email: belongs to the account of the person on line 2, which is left out',
    "assignments.csv 2 person: 'N5' is on line 3 of people.csv, which is left out",
  ])
})
