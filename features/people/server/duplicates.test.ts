import { sql } from 'kysely'
import { expect } from 'vitest'
import type { PersonUid } from '#kernel/ids.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { listDuplicates, mergePeople } from '../calls/duplicates.ts'
import { changePerson, deactivatePerson, getPerson, reactivatePerson } from '../calls/people.ts'

async function looking(server: TestServer) {
  const at = await givenConsole(server)
  const found = async (by = at.call) =>
    (await by(listDuplicates, {})).rows.map(({ one, other, reasons }) => [one.last_name, other.last_name, ...reasons])
  const change = async (uid: PersonUid, fields: object) => {
    const { version } = await at.call(getPerson, { params: { uid } })
    return at.call(changePerson, { params: { uid }, body: { version, ...fields } }, withKey())
  }
  return { ...at, found, change }
}

test('PPL-09 NUM-07 the same e-mail, the same mobile, or the same name and floor make a pair', async ({ server }) => {
  const { org, found, change } = await looking(server)
  const { given } = server
  const [ada, bea] = [await given.occupant(org, { lastName: 'A1' }), await given.occupant(org, { lastName: 'A2' })]
  await change(ada, { email: 'one@a.test' })
  await change(bea, { email: 'ONE@a.test' })
  await given.occupant(org, { lastName: 'B1', mobile: '61491570006' })
  await given.occupant(org, { lastName: 'B2', mobile: '61491570006' })
  await given.occupant(org, { firstName: 'Kim', lastName: 'C', mobile: '61491570007' })
  await given.occupant(org, { firstName: 'kim', lastName: 'c', mobile: '61491570007' })
  await given.occupant(org, { firstName: 'Zoë', lastName: "D'Arcy-Müller" })
  await given.occupant(org, { firstName: 'ZOE', lastName: 'D’arcy muller' })
  // another floor, a visitor, someone who has left, and another organisation
  await given.occupant(org, { firstName: 'Kim', lastName: 'C', floorUid: org.otherFloorUid })
  await given.visitor(org, { firstName: 'Kim' })
  await given.occupant(org, { firstName: 'Kim', lastName: 'C', active: false })
  await given.occupant(await given.organisation(), { lastName: 'B3', mobile: '61491570006' })

  expect(await found()).toEqual([
    ['A1', 'A2', 'email'],
    ['B1', 'B2', 'mobile'],
    ['C', 'c', 'mobile', 'name'],
    ["D'Arcy-Müller", 'D’arcy muller', 'name'],
  ])
})

test('PPL-09 a pair stands from the change that makes it to the change that ends it', async ({ server }) => {
  const { org, call, found, change } = await looking(server)
  const one = await server.given.occupant(org, { lastName: 'One' })
  const other = await server.given.occupant(org, { lastName: 'Other', mobile: null })
  const pair = [['One', 'Other', 'mobile']]
  const seen = [await found()]
  const { mobile } = await call(getPerson, { params: { uid: one } })
  await change(other, { mobile })
  seen.push(await found())
  await call(deactivatePerson, { params: { uid: other } }, withKey())
  seen.push(await found())
  await call(reactivatePerson, { params: { uid: other } }, withKey())
  seen.push(await found())
  const versions = await Promise.all([one, other].map((uid) => call(getPerson, { params: { uid } })))
  const [stays_version = '', goes_version = ''] = versions.map(({ version }) => version)
  await call(mergePeople, { body: { stays: one, goes: other, stays_version, goes_version, take: [] } }, withKey())
  seen.push(await found())

  expect(seen).toEqual([[], pair, [], pair, []])
})

test('PPL-09 ORG-10 both of a pair are within reach, or it is not shown', async ({ server }) => {
  const { org, found, ofSite, ofGroup } = await looking(server)
  const away = await server.given.site(org)
  const here = await server.given.occupant(org, { lastName: 'Here', mobile: '61491570010' })
  await server.given.occupant(away, { lastName: 'There', mobile: '61491570010' })

  expect(await found()).toEqual([['Here', 'There', 'mobile']])
  expect([await found(await ofSite()), await found(await ofGroup([here]))]).toEqual([[], []])
})

test('PPL-09 200 pairs are shown, and that there are more', async ({ server }) => {
  const { org, call } = await looking(server)
  const uids = await server.given.occupants(org, 402)
  await server.db
    .updateTable('person')
    .set({ mobile: sql<string>`'614' || lpad((floor((substr(last_name, 1)::int - 1) / 2))::text, 8, '0')` })
    .where('uid', 'in', uids)
    .execute()

  const { rows, total } = await call(listDuplicates, {})

  expect([rows.length, total]).toEqual([200, 201])
})

test('PPL-09 a further look reads those who have changed and no one else', async ({ server }) => {
  const { org, found } = await looking(server)
  await server.given.occupants(org, 3_000)
  await server.db
    .updateTable('person')
    .set({ updatedAt: new Date(Date.now() - 3_600_000) })
    .where('clientUid', '=', org.clientUid)
    .execute()
  await found()
  // behind the back of every change: only reading all people would find them
  await sql`update person set mobile = '61491570099' where client_uid = ${org.clientUid} and last_name in ('0001', '0002')`.execute(
    server.db,
  )

  expect(await found()).toEqual([])
})
