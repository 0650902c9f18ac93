import { expect } from 'vitest'
import type { AssignmentUid } from '#kernel/ids.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listAssignmentPeeps } from '../calls/assignments.ts'

const of = ({ assignmentUid }: { assignmentUid: AssignmentUid }) => ({ params: { wardenAssignmentUID: assignmentUid } })

/** One person with a plan on each floor of Tower A, two on Level 1, one in Tower B and one at another site. */
async function peopleWithPlans({ given }: TestServer, org: Organisation) {
  const elsewhere = await given.site(org, { buildingName: 'Annex' })
  const people = [
    ['Zoe', org.floors[0]],
    ['Bea', org.floors[1]],
    ['abe', org.floors[1]],
    ['Cal', org.floors[2]],
    ['Dan', org.otherFloorUid],
    ['Eve', elsewhere.floorUid],
  ] as const
  for (const [firstName, floorUid] of people)
    await given.peep(org, await given.occupant(org, { firstName, lastName: 'Day', floorUid }))
}

const ground = ['Zoe Day, Tower A - Ground']
const level1 = ['abe Day, Tower A - Level 1', 'Bea Day, Tower A - Level 1']
const towerA = [...ground, ...level1, 'Cal Day, Tower A - Level 2']
const areas = [
  ['a floor', 'Floor Warden', ground],
  ['a building', 'Building Warden', towerA],
  ['a site', 'Chief Warden', [...towerA, 'Dan Day, Tower B - Ground']],
] as const
test.for(areas)(
  'ASSIGN-26 ASSIGN-29 API-22 AMB-069 the plans of %s, by floor and name',
  async ([, role, expected], { server }) => {
    const org = await server.given.organisation()
    await peopleWithPlans(server, org)
    const warden = await server.given.warden(org, { role, status: 'Offered' })

    const list = await (await server.as(warden))(listAssignmentPeeps, of(warden))

    expect(list.map(({ Person, PEEP_Floor }) => `${Person}, ${PEEP_Floor}`)).toEqual(expected)
  },
)

test('ASSIGN-29 an assignment of two floors lists both, and no one twice', async ({ server }) => {
  const org = await server.given.organisation()
  await peopleWithPlans(server, org)
  const warden = await server.given.warden(org)
  const { clientUid, floors } = org
  await server.db
    .insertInto('assignmentLocation')
    .values({ clientUid, assignmentUid: warden.assignmentUid, floorUid: floors[1] })
    .execute()

  const list = await (await server.as(warden))(listAssignmentPeeps, of(warden))

  expect(list.map(({ Person, PEEP_Floor }) => `${Person}, ${PEEP_Floor}`)).toEqual([...ground, ...level1])
})

test('ASSIGN-27 ASSIGN-29 person, floor and summary of those who are here with a plan in force', async ({ server }) => {
  const org = await server.given.organisation()
  const { given, db } = server
  await given.occupant(org, { firstName: 'Without' })
  const here = await given.occupant(org, { firstName: 'Ann', lastName: 'Lee' })
  const guest = await given.visitor(org, { firstName: 'Guest' })
  const [left, former, lastYears] = [
    await given.occupant(org, { firstName: 'Left', active: false }),
    await given.occupant(org, { firstName: 'Former' }),
    await given.visitor(org, { firstName: 'Last', visitDate: '2020-05-05' }),
  ]
  for (const person of [here, guest, left, former, lastYears]) await given.peep(org, person)
  await db.updateTable('peep').set({ active: false }).where('personUid', '=', former).execute()
  const warden = await given.warden(org)

  const list = await (await server.as(warden))(listAssignmentPeeps, of(warden))

  expect(list).toEqual([
    { Person: 'Ann Lee', PEEP_Floor: 'Tower A - Ground', PEEP_Summary: 'Wheelchair' },
    { Person: expect.stringContaining('Guest'), PEEP_Floor: 'Tower A - Ground', PEEP_Summary: 'Wheelchair' },
  ])
})

test('ASSIGN-03 without a plan in the area the list is empty', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation(), { status: 'Offered' })

  expect(await (await server.as(warden))(listAssignmentPeeps, of(warden))).toEqual([])
})

test('ASSIGN-24 AMB-069 only for an offered or accepted assignment that has not lapsed', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const closed = [
    { status: 'Declined', dateFrom: '2020-01-01' },
    { status: 'Withdrawn', dateFrom: '2020-01-02' },
    { status: 'Accepted', dateFrom: '2020-01-03', dateTo: '2020-12-31' },
    { status: 'Offered', dateFrom: '2020-01-04', dateTo: '2020-12-31' },
  ] as const
  const call = await server.as(warden)

  for (const over of closed) {
    const assignmentUid = await server.given.assignment(warden, org, { role: 'Building Warden', ...over })
    expect(await refused(call(listAssignmentPeeps, of({ assignmentUid })))).toEqual(['not_found'])
  }
  expect(await refused(call(listAssignmentPeeps, of(warden)))).toEqual(['answered'])
})

test("ASSIGN-24 T2 another's assignment answers as one that does not exist", async ({ server }) => {
  const org = await server.given.organisation()
  const [warden, colleague] = [await server.given.warden(org), await server.given.warden(org)]
  const stranger = await server.given.warden(await server.given.organisation())
  const call = await server.as(warden)
  const unknown = { assignmentUid: '00000000-0000-4000-8000-000000000000' as AssignmentUid }

  for (const other of [colleague, stranger, unknown])
    await expect(call(listAssignmentPeeps, of(other))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found.',
    })
  expect(await refused(server.stranger(listAssignmentPeeps, of(warden)))).toEqual(['not_signed_in'])
})

test('ASSIGN-23 AUTH-04 AMB-038 of an assignment at another client of the same account, the people there', async ({
  server,
}) => {
  const [home, away] = [await server.given.organisation(), await server.given.organisation()]
  await peopleWithPlans(server, home)
  await server.given.peep(away, await server.given.occupant(away, { firstName: 'Far', lastName: 'Away' }))
  const warden = await server.given.warden(home)
  const second = await server.given.warden(away, { accountUid: warden.accountUid, status: 'Offered' })

  const list = await (await server.as(warden))(listAssignmentPeeps, of(second))

  expect(list.map(({ Person }) => Person)).toEqual(['Far Away'])
})
