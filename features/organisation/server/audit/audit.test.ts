import { sql } from 'kysely'
import { expect } from 'vitest'
import { appointAdministrator } from '#features/administrators/calls/administrators.ts'
import { urlOf } from '#kernel/client/client.ts'
import type { CallInput } from '#kernel/route.ts'
import { inClients } from '#server/platform/db/db.ts'
import { asAdministrator, givenAdministrator, givenSecondFactor } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { downloadAudit, listAudit } from '../../calls/audit.ts'
import { countEntries, listEntries } from './audit.queries.ts'

type Query = CallInput<typeof listAudit>['query']

async function audited(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind', seesPlans: true })
  const call = await asAdministrator(server, admin)
  const list = (query: Query = {}) => call(listAudit, { query })
  const actions = async (query: Query = {}) => (await list(query)).rows.map(({ action }) => action)
  const file = (query: Query = {}) =>
    server.app.inject({
      url: urlOf(downloadAudit, { query }),
      headers: { authorization: `Bearer ${call.token}` },
    })
  const staff = async (over = {}) => {
    const { personUid, accountUid } = await server.given.warden(org, over)
    await givenSecondFactor(server, accountUid)
    return personUid
  }
  return { org, admin, call, list, actions, file, staff }
}

/** Entries made `minutesAgo`, oldest first. */
async function givenEntries(server: TestServer, clientUid: string, count: number, action = 'list_changed') {
  await sql`
    insert into journal (client_uid, action, subject_type, subject_uid, recorded_at)
    select ${clientUid}, ${action}, 'organisation', ${clientUid}, now() - make_interval(mins => ${count} - n)
    from generate_series(1, ${count}::int) n`.execute(server.db)
}

test('ORG-39 only a person is called erased: what has no name any more is called by its kind', async ({ server }) => {
  const { org, list } = await audited(server)
  for (const subject of ['person', 'building', 'checklist_item'])
    await sql`insert into journal (client_uid, action, subject_type, subject_uid)
      values (${org.clientUid}, 'list_changed', ${subject}, gen_random_uuid())`.execute(server.db)

  expect((await list()).rows.map(({ subject }) => subject)).toEqual(['Checklist item', 'Building', 'Erased person'])
})

test('ORG-39 ORG-40 what an administrator did stands first, with names joined on reading', async ({ server }) => {
  const { org, call, list, staff } = await audited(server)
  const person = await staff({ firstName: 'Kim' })
  const body = { person, reach: 'site', site: org.siteUid, sees_plans: false } as const
  await call(appointAdministrator, { body })

  const [entry] = (await list()).rows

  expect(entry).toMatchObject({
    who: 'Nora Lind',
    action: 'administrator_appointed',
    subject: expect.stringMatching(/^Kim /),
  })
  expect(entry?.changes).toEqual([
    { field: 'person', before: null, after: entry?.subject },
    { field: 'reach', before: null, after: 'site' },
    { field: 'sees_plans', before: null, after: 'no' },
    { field: 'site', before: null, after: org.siteName },
  ])
  await server.db.updateTable('person').set({ firstName: 'Kit' }).where('uid', '=', person).execute()
  expect((await list()).rows[0]?.subject).toMatch(/^Kit /)
})

test('ORG-39 of an event only its start and its end are told, without what was written', async ({ server }) => {
  const { org, list } = await audited(server)
  await server.given.occupant(org)
  await server.runningEvent(org, { message: 'Leave by the north stairs.' })
  const warden = await server.given.warden(org)
  await server.onDuty(warden)

  const { rows } = await list()

  const actions = rows.map(({ action }) => action)
  expect(actions).toContain('event_started')
  expect(actions).not.toContain('warden_reported_in')
  expect(JSON.stringify(rows)).not.toContain('north stairs')
  expect(JSON.stringify(rows)).not.toContain('tally')
})

test('ORG-39 filters by who, kind, person and days in the zone of the organisation', async ({ server }) => {
  const { org, admin, call, actions, staff } = await audited(server)
  const person = await staff()
  await call(appointAdministrator, { body: { person, reach: 'organisation', sees_plans: false } })
  await givenEntries(server, org.clientUid, 1)
  await sql`
    insert into journal (client_uid, action, subject_type, subject_uid, recorded_at)
    values (${org.clientUid}, 'place_added', 'organisation', ${org.clientUid}, '2026-03-09T12:59:59Z'),
      (${org.clientUid}, 'place_changed', 'organisation', ${org.clientUid}, '2026-03-09T13:00:00Z')`.execute(server.db)

  expect(await actions({ who: admin.personUid })).toEqual(['administrator_appointed'])
  expect(await actions({ operator: 'yes' })).toEqual(['place_changed', 'place_added', 'list_changed'])
  expect(await actions({ kind: 'lists' })).toEqual(['list_changed'])
  expect(await actions({ kind: 'plans' })).toEqual([])
  expect(await actions({ person })).toEqual(['administrator_appointed'])
  // midnight in Sydney is 13:00 UTC in March
  expect(await actions({ from: '2026-03-09', to: '2026-03-09' })).toEqual(['place_added'])
  expect(await actions({ from: '2026-03-10', to: '2026-03-10' })).toEqual(['place_changed'])
  expect(await actions({ to: '2026-03-08' })).toEqual([])
})

test('ORG-39 a filter reads what it finds, and not the log around it', async ({ server }) => {
  const { org, admin, call, staff } = await audited(server)
  const person = await staff()
  await call(appointAdministrator, { body: { person, reach: 'organisation', sees_plans: false } })
  await givenEntries(server, org.clientUid, 5000)
  await sql`analyze journal`.execute(server.database.owner.db)
  const filters = [{ who: admin.personUid }, { person }, { kind: 'administration' }, { kind: 'plans' }] as const

  const reads = await Promise.all(
    filters.map((filter) =>
      inClients(server.app.db, [org.clientUid], async (tx) => {
        const before = await rowsRead(tx, 'journal')
        const span = { key: null, isBackwards: false, limit: 51 }
        const found = (await listEntries(tx, org.clientUid, filter, span)).length
        return {
          found,
          count: await countEntries(tx, org.clientUid, filter),
          read: (await rowsRead(tx, 'journal')) - before,
        }
      }),
    ),
  )

  expect(reads.map(({ found, count }) => [found, count])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
    [0, 0],
  ])
  expect(Math.max(...reads.map(({ read }) => read))).toBeLessThan(100)
})

test('ORG-39 pages by key in both directions, nothing twice, the number exact', async ({ server }) => {
  const { org, list } = await audited(server)
  await givenEntries(server, org.clientUid, 120)

  const first = await list()
  const second = await list({ after: first.more.after as string })
  const third = await list({ after: second.more.after as string })
  const back = await list({ before: third.more.before as string })

  expect([first, second, third].map(({ rows, more, total }) => [rows.length, more, total])).toEqual([
    [50, { before: null, after: expect.any(String) }, 120],
    [50, { before: expect.any(String), after: expect.any(String) }, 120],
    [20, { before: expect.any(String), after: null }, 120],
  ])
  expect(new Set([first, second, third].flatMap(({ rows }) => rows.map(({ position }) => position))).size).toBe(120)
  expect(back.rows).toEqual(second.rows)
  expect((await list({ before: second.more.before as string })).rows).toEqual(first.rows)
})

test('ORG-39 the file has every entry, and no cell that a spreadsheet would compute', async ({ server }) => {
  const { org, call, file } = await audited(server)
  const { personUid: person } = await server.given.warden(org, { firstName: '=HYPERLINK("x"), Kim' })
  await call(appointAdministrator, { body: { person, reach: 'organisation', sees_plans: false } })
  await givenEntries(server, org.clientUid, 60)

  const { headers, body } = await file()
  const lines = body.split('\r\n')

  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(lines[0]).toBe('\ufeffTime,Who,What,On whom,Field,Before,After')
  expect(lines.filter((line) => line.includes('List changed'))).toHaveLength(60)
  expect(lines.find((line) => line.includes(',Person,'))).toMatch(
    /,Nora Lind,Administrator appointed,"'=HYPERLINK\(""x""\), Kim \d+",Person,,"'=HYPERLINK\(""x""\), Kim \d+"$/,
  )
  expect((await file({ kind: 'events' })).body.split('\r\n')).toHaveLength(2)
})

test('ORG-39 no entry of another organisation is listed or filed', async ({ server }) => {
  const { file, list } = await audited(server)
  const other = await audited(server)
  await givenEntries(server, other.org.clientUid, 3)

  expect((await list()).rows).toEqual([])
  expect((await file()).body.split('\r\n')).toHaveLength(2)
  expect(await refused(list({ who: other.admin.personUid }), list({ person: other.admin.personUid }))).toEqual([
    'not_found',
    'not_found',
  ])
})
