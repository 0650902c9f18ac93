import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { createGiven } from '#server/testing/given.ts'
import { rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { demoAccounts, loadDemo } from './demo.ts'

function documentStore() {
  const path = mkdtempSync(join(tmpdir(), 'evac-demo-'))
  return { ...folderStore(path), [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('AUTH-06 the demo organisations load, and a later start finds nothing to change', async () => {
  await using database = await openTestDatabase()
  using store = documentStore()
  const { db } = database.system

  const first = await loadDemo(db, store)
  const before = await rowVersions(db)
  const second = await loadDemo(db, store)

  expect([first, second]).toEqual([true, true])
  expect(await rowVersions(db)).toEqual(before)
  expect(await rowsOf(db, 'select name, sms_allowed from client order by name')).toEqual([
    { name: 'Harbour Property Group', smsAllowed: true },
    { name: 'Riverside Health', smsAllowed: false },
  ])
  const places = `select s.name as site, b.name as building, string_agg(f.name, ', ' order by f.level) as floors
    from floor f join building b on b.uid = f.building_uid join site s on s.uid = b.site_uid group by 1, 2 order by 1, 2`
  expect(await rowsOf(db, places)).toEqual([
    {
      site: 'Harbour Quarter',
      building: 'Tower A',
      floors: 'Ground, Level 1, Level 2, Level 3, Level 4, Level 5, Level 6',
    },
    { site: 'Harbour Quarter', building: 'Tower B', floors: 'Ground, Level 1, Level 2, Level 3, Level 4' },
    { site: 'Northgate Campus', building: 'Library', floors: 'Ground, Level 1, Level 2, Level 3' },
    { site: 'Riverside Hospital', building: 'Main Building', floors: 'Ground, Level 1, Level 2, Level 3' },
  ])
})

test('AUTH-06 the demo: 75 occupants on Level 3 of Tower A, 5 of them with a plan, three visitors today', async () => {
  await using database = await openTestDatabase()
  using store = documentStore()
  const { db } = database.system

  await loadDemo(db, store)

  const level3 = `select count(*) as occupants, count(pe.uid) as plans from person p
    join floor f on f.uid = p.primary_floor_uid join building b on b.uid = f.building_uid
    left join peep pe on pe.person_uid = p.uid and pe.active
    where b.name = 'Tower A' and f.name = 'Level 3'
      and not exists (select from warden_assignment a where a.person_uid = p.uid)`
  expect(await rowsOf(db, level3)).toEqual([{ occupants: 75, plans: 5 }])
  const visitors = `select count(*) as visitors, count(p.primary_floor_uid) as with_floor from person p
    left join floor f on f.uid = p.primary_floor_uid
    join building b on b.uid = coalesce(f.building_uid, p.visiting_building_uid) and b.name = 'Tower A'
    where p.visit_date = (now() at time zone 'Australia/Sydney')::date`
  expect(await rowsOf(db, visitors)).toEqual([{ visitors: 3, withFloor: 2 }])
})

test('LOGIN-37 every demo account signs in with its password, but for the lapsed one and the administrators', async () => {
  await using server = await startTestServer()
  using store = documentStore()
  await loadDemo(server.db, store)
  const names = demoAccounts.map((line) => line.split(' ')[0] ?? '')

  const outcomes = await Promise.all(
    names.map((name) =>
      server.signIn(name, 'evacuate1').then(
        () => 'in',
        ({ code }: { code: string }) => code,
      ),
    ),
  )

  expect(Object.fromEntries(names.map((name, i) => [name, outcomes[i]]))).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 'in'])),
    'lapsed@harbour.test': 'unauthorized_access',
    // a grant opens the console, not the warden side (ORG-14)
    'admin@harbour.test': 'unauthorized_access',
    'admin@riverside.test': 'unauthorized_access',
  })
})

test('AUTH-06 the demo stays out of a database that holds other organisations', async () => {
  await using database = await openTestDatabase()
  await createGiven(database.system.db).organisation()

  expect(await loadDemo(database.system.db, folderStore('/nowhere'))).toBe(false)
  expect(await rowsOf(database.system.db, 'select code from client')).toHaveLength(1)
})
