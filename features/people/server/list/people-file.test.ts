import { expect } from 'vitest'
import { listAudit } from '#features/organisation/calls/audit.ts'
import type { GivenInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { downloadPeople } from '../../calls/people.ts'

type Wanted = GivenInput<typeof downloadPeople>['body']

async function administered(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Zz' })
  const call = await asAdministrator(server, admin)
  const add = async (person: { code: string; firstName: string; lastName: string; email?: string; mobile?: string }) =>
    (
      await server.db
        .insertInto('person')
        .values({ clientUid: org.clientUid, primaryFloorUid: org.floorUid, ...person })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid
  const linesOf = async (body: Wanted, asked = call) =>
    (await asked(downloadPeople, { body }, withKey())).csv.slice(1).split('\r\n').slice(0, -1)
  return { org, admin, call, add, linesOf }
}

test('ORG-51 IMP-17 the list is a CSV file with the chosen columns, filters and order, without formulas', async ({
  server,
}) => {
  const { add, linesOf, org } = await administered(server)
  await add({ code: 'A', firstName: '=1+1', lastName: 'Aa', email: '-a@a.test', mobile: '61491000002' })
  await add({ code: 'B', firstName: 'Ben', lastName: 'Bb, the second', email: 'b@a.test' })

  const lines = await linesOf({ place: org.floorUid, sort: '-name', columns: ['place', 'email', 'mobile'] })

  expect(lines).toEqual([
    'Last name,First name,Floor,Email,Mobile',
    '"Bb, the second",Ben,Tower A - Ground,b@a.test,',
    "Aa,'=1+1,Tower A - Ground,'-a@a.test,+61 491 000 002",
  ])
  expect(await linesOf({ q: 'Ben', state: 'all', columns: ['kind', 'sign_in'] })).toEqual([
    'Last name,First name,State,Kind,Sign-in',
    '"Bb, the second",Ben,Active,Staff,',
  ])
})

test('ORG-51 ORG-40 a file stands in the audit log with its columns and filters, without what was searched for', async ({
  server,
}) => {
  const { add, admin, call, linesOf, org } = await administered(server)
  await add({ code: 'A', firstName: 'Ann', lastName: 'Aa' })

  await linesOf({ q: 'Ann', kind: 'staff', columns: ['email'] })

  const exported = await server.db
    .selectFrom('journal')
    .select('after')
    .where('clientUid', '=', org.clientUid)
    .where('action', '=', 'data_exported')
    .execute()
  expect(exported).toEqual([{ after: { list: 'people', people: 1, columns: ['email'], kind: 'staff' } }])
  const audit = await call(listAudit, { query: { kind: 'tables', who: admin.personUid } })
  expect(audit.rows[0]).toMatchObject({ action: 'data_exported' })
})

test('ORG-51 ORG-10 a file has the people within reach alone', async ({ server }) => {
  const { add, org, linesOf } = await administered(server)
  const ann = await add({ code: 'A', firstName: 'Ann', lastName: 'Aa' })
  await add({ code: 'B', firstName: 'Ben', lastName: 'Bb' })
  const groupUid = await givenGroup(server, org, [ann as never])
  const keeper = await asAdministrator(server, await givenAdministrator(server, org, { reach: 'group', groupUid }))

  expect(await linesOf({ columns: [] }, keeper)).toEqual(['Last name,First name', 'Aa,Ann'])
})

test('ORG-51 ORG-24 a file needs a code of the last ten minutes', async ({ server }) => {
  const { admin, linesOf } = await administered(server)
  const stale = await asAdministrator(server, admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })

  expect(await refused(linesOf({ columns: [] }, stale))).toEqual(['confirm_identity'])
})
