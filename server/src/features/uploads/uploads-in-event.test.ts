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
