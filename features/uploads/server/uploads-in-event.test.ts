import { expect, test } from 'vitest'
import { rowsOf } from '#server/testing/import-test.ts'
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

test('ORG-43 IMP-12 an event that starts in the middle of an upload counts everyone whom the upload ends afterwards', async () => {
  const accepted = (people: readonly string[]) =>
    `person,role,site,locations,date_from,date_to,status\nP1,CHIEF,S1,,2020-01-01,2099-12-31,Accepted\n${people
      .map((code) => `${code},FLOOR,S1,B1/L1,2020-01-01,2099-12-31,Accepted\n`)
      .join('')}`
  await using at = await openUploading({ 'assignments.csv': accepted(['P2']) })
  const head = 'code,first_name,last_name,email,mobile,floor,kind,visit_date\n'
  const kept = 'P1,Ada,Abara,ada@small.test,0491000901,B1/G,staff,\nV1,Vera,Vos,,+61491000904,B1,visitor,today\n'
  const many = Array.from({ length: 5_001 }, (_, n) => `M${n},New,Hand ${n},,,B1/G,staff,\n`).join('')
  const upload = await at.check(
    { 'people.csv': `${head}${kept}${many}`, 'assignments.csv': accepted([]) },
    { endMissing: true },
  )
  expect(upload.ends).toMatchObject({ people: { number: 3 }, assignments: { number: 1 } })
  const added = async () =>
    (await rowsOf<{ count: number }>(at.db, "select count(*)::int as count from person where code like 'M%'"))[0]?.count
  const states = () => rowsOf(at.db, "select code, active from person where code in ('P2', 'P3') order by code")

  const applying = at.apply(upload.uid)
  await expect.poll(added, { interval: 5 }).toBeGreaterThan(0)
  const before = await states()
  await at.startEvent()
  const applied = await applying

  const ended = ['P2', 'P3']
  expect(before).toEqual(ended.map((code) => ({ code, active: true })))
  expect(applied.state).toBe('applied')
  expect(await states()).toEqual(ended.map((code) => ({ code, active: false })))
  const counted = await rowsOf(
    at.db,
    "select p.code, v.status from evacuee v join person p on p.uid = v.person_uid where v.active and p.code in ('P2', 'P3') order by 1",
  )
  expect(counted).toEqual(ended.map((code) => ({ code, status: 'unknown' })))
  expect(at.troubles).toEqual([])
})
