import { expect, test } from 'vitest'
import { rowsOf } from '../../testing/import-test.ts'
import { openUploading } from './uploads.fixture.ts'

test('ORG-41 a warden not on duty whom a file deactivates comes on the running list', async () => {
  await using at = await openUploading({
    'assignments.csv':
      'person,role,site,locations,date_from,date_to,status\nP1,CHIEF,S1,,2020-01-01,2099-12-31,Accepted\nP2,FLOOR,S1,B1/L1,2020-01-01,2099-12-31,Accepted\n',
  })
  await at.startEvent()
  const listed = () =>
    rowsOf(
      at.db,
      "select p.active, e.status from evacuee e join person p on p.uid = e.person_uid where e.active and p.code = 'P2'",
    )
  const before = await listed()

  const upload = await at.check({ 'people.csv': 'code,first_name,last_name,floor,active\nP2,Ben,Brandt,B1/L1,no\n' })
  await at.apply(upload.uid)

  expect([before, await listed()]).toEqual([[], [{ active: false, status: 'unknown' }]])
})

test('ORG-41 ORG-42 while an event runs no file takes modules from a role, texts from the organisation or its zone from a site', async () => {
  await using at = await openUploading()
  await at.startEvent()
  const applied = async (files: Record<string, string>) => {
    const { uid } = await at.check(files)
    return at.apply(uid).then(
      ({ state }) => state,
      ({ code }) => code,
    )
  }

  expect(await applied({ 'roles.csv': 'code,name,area_domain,modules\nFLOOR,Floor Warden,Floor,\n' })).toBe('in_event')
  expect(await applied({ 'organisation.csv': 'code,name,sms_allowed\nSMALL,Small Ltd,no\n' })).toBe('in_event')
  expect(await applied({ 'sites.csv': 'code,name,timezone\nS1,Main Site,Australia/Perth\n' })).toBe('in_event')
  expect(await applied({ 'people.csv': 'code,first_name,last_name,floor\nP3,Cleo,Chow,B1/L1\n' })).toBe('applied')
})
