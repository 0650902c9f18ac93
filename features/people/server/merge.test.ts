import { expect } from 'vitest'
import { revokeAdministrator } from '#features/administrators/calls/administrators.ts'
import { getPlan } from '#features/peeps/calls/plans.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { listDuplicates, mergePeople } from '../calls/duplicates.ts'
import { addPerson, deactivatePerson, getPerson, reactivatePerson } from '../calls/people.ts'

type Take = CallInput<typeof mergePeople>['body']['take']
type Call = Awaited<ReturnType<typeof asAdministrator>>

async function merging(server: TestServer) {
  const at = await givenConsole(server)
  const see = (uid: PersonUid) => at.call(getPerson, { params: { uid } })
  /** With the states that are read now, unless others are given. */
  const merge = async (stays: PersonUid, goes: PersonUid, take: Take = [], by: Call = at.call) => {
    const [stays_version, goes_version] = [(await see(stays)).version, (await see(goes)).version]
    return by(mergePeople, { body: { stays, goes, stays_version, goes_version, take } }, withKey())
  }
  return { ...at, see, merge }
}

test('PPL-09 groups, assignments, account, number and floor pass over; the other is deactivated and points to the first', async ({
  server,
}) => {
  const { org, call, see, merge } = await merging(server)
  const warden = await server.given.warden(org)
  const groupUid = await givenGroup(server, org, [warden.personUid])
  const { uid } = await call(addPerson, { body: { first_name: 'Kim', last_name: 'Lee' } }, withKey())
  const session = await server.as(warden)

  expect(await merge(uid, warden.personUid)).toEqual({ status: 'merged' })

  expect(await see(uid)).toMatchObject({
    first_name: 'Kim',
    email: warden.email,
    mobile: `+${warden.mobile}`,
    floor: { uid: org.floorUid },
    groups: [{ uid: groupUid }],
    assignments: [{ role: 'Floor Warden', status: 'Accepted' }],
    merged_into: null,
    sign_in: { ways: ['password', 'mobile link'], is_needed: true },
  })
  expect(await see(warden.personUid)).toMatchObject({
    active: false,
    groups: [],
    assignments: [],
    merged_into: { uid, name: 'Kim Lee' },
    sign_in: { ways: [], has_password: false },
  })
  expect(await refused(session('GET /api/user', {}))).toEqual(['not_signed_in'])
  expect((await server.signIn(warden.email)).Person_UID).toBe(uid)
  expect((await server.journalOf(warden.personUid)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['person_deactivated', 'person_merged']),
  )
  await expect(call(reactivatePerson, { params: { uid: warden.personUid } }, withKey())).rejects.toMatchObject({
    code: 'invalid_transition',
    message: 'This person was merged into Kim Lee.',
  })
})

test('PPL-09 field by field: what is taken of the one who goes, sign-in and code too', async ({ server }) => {
  const { org, see, merge } = await merging(server)
  const [stays, goes] = [await server.given.warden(org), await server.given.warden(org, { username: 'goesby' })]
  const [before, other] = [await see(stays.personUid), await see(goes.personUid)]

  await merge(stays.personUid, goes.personUid, ['last_name', 'code', 'mobile', 'sign_in'])

  expect(await see(stays.personUid)).toMatchObject({
    last_name: other.last_name,
    code: other.code,
    mobile: other.mobile,
    username: 'goesby',
    email: before.email,
  })
  expect(await see(goes.personUid)).toMatchObject({ code: before.code, active: false })
  // the account that came over took the address that was kept
  expect((await server.signIn(stays.email)).Person_UID).toBe(stays.personUid)
  await expect(server.signIn(goes.email)).rejects.toMatchObject({ code: 'invalid_credentials' })
})

test('NUM-03 PPL-09 the second number of the one who goes is kept where the one who stays has none', async ({
  server,
}) => {
  const { org, see, merge } = await merging(server)
  const [stays, goes] = [await server.given.warden(org), await server.given.warden(org)]
  const second = server.db.updateTable('person').set({ secondMobile: '61391000002' })
  await second.where('uid', '=', goes.personUid).execute()

  await merge(stays.personUid, goes.personUid)

  expect(await see(stays.personUid)).toMatchObject({ mobile: `+${stays.mobile}`, second_mobile: '+61391000002' })
})

test('PPL-09 a password is kept where the one who stays has an account without one', async ({ server }) => {
  const { org, see, merge } = await merging(server)
  const [stays, goes] = [await server.given.warden(org), await server.given.warden(org)]
  await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', stays.accountUid).execute()

  await merge(stays.personUid, goes.personUid)

  expect(await see(stays.personUid)).toMatchObject({ email: stays.email, sign_in: { has_password: true } })
  expect((await server.signIn(stays.email)).Person_UID).toBe(stays.personUid)
})

test('PPL-09 the same role, site and first day twice: the assignment of the one who stays counts', async ({
  server,
}) => {
  const { org, see, merge } = await merging(server)
  const [stays, goes] = [await server.given.warden(org), await server.given.warden(org)]
  await server.given.assignment(goes, org, { role: 'Building Warden' })

  await merge(stays.personUid, goes.personUid)

  expect((await see(stays.personUid)).assignments.map(({ role }) => role)).toEqual(['Building Warden', 'Floor Warden'])
  expect((await see(goes.personUid)).assignments.map(({ role }) => role)).toEqual(['Floor Warden'])
})

test('PPL-09 PPL-30 of two plans the chosen one counts, and who may not see plans does not choose', async ({
  server,
}) => {
  const { org, merge } = await merging(server)
  const [stays, goes, alone] = await server.given.occupants(org, 3)
  if (!stays || !goes || !alone) throw new Error('nobody')
  const plan = (personUid: PersonUid, summary: string) =>
    server.db.insertInto('peep').values({ clientUid: org.clientUid, personUid, summary }).execute()
  await plan(stays, 'Ramp')
  await plan(goes, 'Chair')
  const marked = await asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true }))

  await expect(merge(stays, goes)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Both have a plan: only someone who may see plans can merge them.',
  })
  await merge(stays, goes, ['plan'], marked)
  await merge(alone, stays)

  const active = await server.db
    .selectFrom('peep')
    .select('summary')
    .where('personUid', '=', alone)
    .where('active', '=', true)
    .execute()
  expect(active).toEqual([{ summary: 'Chair' }])
  expect((await marked(getPlan, { params: { personUid: alone } })).plan).toMatchObject({ summary: 'Chair' })
})

test('PPL-09 ORG-33 two administrators who merge one pair both ways: one does, the other is told', async ({
  server,
}) => {
  const { org, call, see } = await merging(server)
  const second = await asAdministrator(server, await givenAdministrator(server, org))
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await server.given.occupant(org), await server.given.occupant(org)]
    const [versionOfOne, versionOfOther] = [(await see(one)).version, (await see(other)).version]
    const into = { stays: one, stays_version: versionOfOne, goes: other, goes_version: versionOfOther, take: [] }
    const away = { stays: other, stays_version: versionOfOther, goes: one, goes_version: versionOfOne, take: [] }
    const answers = await refused(
      call(mergePeople, { body: into }, withKey()),
      second(mergePeople, { body: away }, withKey()),
      second(mergePeople, { body: into }, withKey()),
    )

    expect(answers.toSorted()).toEqual(['answered', 'changed_since', 'changed_since'])
    const states = [await see(one), await see(other)].map(({ active, merged_into }) => [active, merged_into !== null])
    expect(states.toSorted()).toEqual([
      [false, true],
      [true, false],
    ])
  }
})

test('PPL-09 ORG-42 who takes part in a running event is not merged', async ({ server }) => {
  const { org, merge } = await merging(server)
  const [inside, outside] = [await server.given.occupant(org), await server.given.occupant(org)]
  await server.runningEvent(org)
  const newcomer = await server.given.occupant(org)
  const another = await server.given.occupant(org)

  for (const [stays, goes] of [
    [inside, newcomer],
    [newcomer, outside],
  ] as const)
    await expect(merge(stays, goes)).rejects.toMatchObject({
      ...{
        code: 'in_event',
        message: `An event is running at ${org.siteName}. This can be changed when it has ended.`,
      },
    })
  expect(await merge(newcomer, another)).toEqual({ status: 'merged' })
})

test('PPL-09 ORG-10 no one merges beyond the own reach, visitors, or someone who has left', async ({ server }) => {
  const { org, merge, call, ofSite, ofGroup } = await merging(server)
  const away = await server.given.site(org)
  const [here, there] = [await server.given.occupant(org), await server.given.occupant(away)]
  const [visitor, left] = [await server.given.visitor(org), await server.given.occupant(org)]
  await call(deactivatePerson, { params: { uid: left } }, withKey())
  const [site, group] = [await ofSite(), await ofGroup([here])]

  expect(
    await refused(
      ...[merge(here, there, [], site), merge(there, here, [], site), merge(here, there, [], group)],
      ...[merge(here, visitor), merge(here, left), merge(here, here)],
    ),
  ).toEqual([...['not_found', 'not_found', 'not_found', 'invalid_transition', 'invalid_transition', 'invalid_request']])
})

test('ORG-12 ORG-13 AUTH-25 an administrator is not merged away, nor is their sign-in taken', async ({ server }) => {
  const { org, admin, merge, see } = await merging(server)
  const warden = await server.given.warden(org)

  expect(await refused(merge(warden.personUid, admin.personUid))).toEqual(['forbidden'])
  await merge(admin.personUid, warden.personUid, ['sign_in'])
  expect(await see(admin.personUid)).toMatchObject({
    active: true,
    sign_in: { has_password: true, second_factor: true },
  })
})

test('AUTH-25 ORG-17 who has a grant is revoked before they go, and a site merges no administrator', async ({
  server,
}) => {
  const { org, merge, see, ofSite, call } = await merging(server)
  const second = await givenAdministrator(server, org)
  const plain = await server.given.occupant(org)
  await server.db
    .updateTable('person')
    .set({ primaryFloorUid: org.floorUid })
    .where('uid', '=', second.personUid)
    .execute()

  const site = await ofSite()
  expect(await refused(merge(plain, second.personUid), merge(second.personUid, plain, [], site))).toEqual([
    'forbidden',
    'forbidden',
  ])
  await call(revokeAdministrator, { params: { uid: second.administratorUid } }, withKey())
  await merge(plain, second.personUid)

  expect(await see(plain)).toMatchObject({ sign_in: { has_password: true, second_factor: null } })
  expect((await call(listDuplicates, {})).rows).toEqual([])
})
