import { expect } from 'vitest'
import { getNow } from '#features/assignments/calls/waiting.ts'
import { retirePlace } from '#features/places/calls.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { listPeople } from '../calls/people.ts'
import { changePeople, movePeople } from '../calls/people-bulk.ts'

type Wanted = GivenInput<typeof changePeople>['body']

async function administered(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const siteUid = over.reach === 'site' ? org.siteUid : undefined
  const admin = await givenAdministrator(server, org, { ...over, ...(siteUid && { siteUid }) })
  const call = await asAdministrator(server, admin)
  const act = (body: Wanted) => call(changePeople, { body }, withKey())
  const people = async (query: GivenInput<typeof listPeople>['query']) =>
    (await call(listPeople, { query })).rows.map(({ uid }) => uid).sort()
  const several = async (count: number) => {
    const made: PersonUid[] = []
    for (let n = 0; n < count; n++) made.push(await server.given.occupant(org))
    return made.sort()
  }
  return { org, admin, call, act, people, several }
}

test('PPL-14 PPL-12 ticked people are invited; who cannot be is left with the reason', async ({ server }) => {
  const { org, act } = await administered(server)
  const [told, invited] = [await server.given.warden(org), await server.given.warden(org)]
  await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', invited.accountUid).execute()
  const occupant = await server.given.occupant(org, { firstName: 'Kim', lastName: 'Lee' })
  const people = [told.personUid, invited.personUid, occupant]

  expect(await act({ people, act: 'invite' })).toMatchObject({
    done: 2,
    waits: 0,
    left: [
      {
        person: occupant,
        name: 'Kim Lee',
        reason: 'No assignment and not an administrator: nothing to invite this person to.',
      },
    ],
  })
  await sendMails(server)
  expect((await mailsTo(server, invited.email))[0]?.body).toContain('#token=')
  expect((await mailsTo(server, told.email))[0]?.body).not.toContain('#token=')
})

test('PPL-21 ticked people move to a floor, and a site moves no one out of it', async ({ server }) => {
  const { org, act, people, several } = await administered(server, { reach: 'site' })
  const away = await server.given.site(org, { name: 'Away' })
  const some = await several(3)

  expect(await act({ people: some, act: 'move', place: org.otherFloorUid })).toMatchObject({
    done: 3,
    waits: 0,
    left: [],
  })
  expect(await people({ place: org.otherFloorUid })).toEqual(some)
  expect((await server.journalOf(some[0] as PersonUid)).map(({ action }) => action)).toEqual(['person_changed'])
  expect(
    await refused(
      act({ people: some, act: 'move', place: away.floorUid }),
      act({ people: some, act: 'move', place: org.buildingUid }),
      act({ people: some, act: 'move' }),
    ),
  ).toEqual(['not_found', 'invalid_request', 'invalid_request'])
  expect(await people({ place: org.otherFloorUid })).toEqual(some)
})

test('PPL-21 everyone moves off a place, which can be retired then', async ({ server }) => {
  const { org, call, people, several } = await administered(server)
  const some = await several(4)
  const left = await server.given.occupant(org, { active: false })
  const move = () => call(movePeople, { body: { from: org.floorUid, to: org.otherFloorUid } }, withKey())
  const retire = () => call(retirePlace, { params: { uid: org.floorUid } }, withKey())

  expect(await refused(retire())).toEqual(['in_use'])
  expect(await move()).toEqual({ moved: 4, remaining: 0 })
  expect(await move()).toEqual({ moved: 0, remaining: 0 })
  expect(await people({ place: org.otherFloorUid })).toEqual(some)
  expect(await people({ place: org.floorUid, state: 'inactive' })).toEqual([left])
  await retire()
})

test('PPL-21 of more than 500 people the rest moves with the next call', async ({ server }) => {
  const { org, call } = await administered(server)
  await server.database.system.pg.query(
    `insert into person (client_uid, code, first_name, last_name, primary_floor_uid)
       select $1, 'M' || n, 'Many', n::text, $2 from generate_series(1, 520) n`,
    [org.clientUid, org.floorUid],
  )
  const move = () => call(movePeople, { body: { from: org.buildingUid, to: org.otherFloorUid } }, withKey())

  expect([await move(), await move()]).toEqual([
    { moved: 500, remaining: 20 },
    { moved: 20, remaining: 0 },
  ])
})

test('PPL-18 ticked people come into a group and leave it, by administrators of the organisation', async ({
  server,
}) => {
  const { org, act, people, several } = await administered(server)
  const group = await givenGroup(server, org)
  const some = await several(2)
  const ofSite = await asAdministrator(
    server,
    await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid }),
  )

  expect(await act({ people: some, act: 'add_to_group', group })).toMatchObject({ done: 2 })
  expect(await people({ group })).toEqual(some)
  expect(await act({ people: some.slice(1), act: 'take_out_of_group', group })).toMatchObject({ done: 1 })
  expect(await people({ group })).toEqual(some.slice(0, 1))
  const body = { people: some, act: 'add_to_group', group } as const
  expect(await refused(ofSite(changePeople, { body }, withKey()))).toEqual(['forbidden'])
})

test('PPL-08 ORG-44 ticked people are deactivated; of wardens on duty it waits', async ({ server }) => {
  const { org, call, act, people, several } = await administered(server)
  const some = await several(2)
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  await server.onDuty(warden)

  expect(await act({ people: [...some, warden.personUid], act: 'deactivate' })).toMatchObject({
    done: 2,
    waits: 1,
    left: [],
  })
  expect(await people({ state: 'inactive' })).toEqual(some)
  expect((await call(getNow, {})).waiting).toMatchObject([{ kind: 'deactivation' }])
})

test('ORG-12 ORG-17 AUTH-24 ticked administrators: the own one stays, and those of others are left', async ({
  server,
}) => {
  const { org, admin, act, people, several } = await administered(server)
  const some = await several(1)
  const ofSite = await asAdministrator(
    server,
    await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid }),
  )
  await server.db
    .updateTable('person')
    .set({ primaryFloorUid: org.floorUid })
    .where('uid', '=', admin.personUid)
    .execute()
  const everybody: Wanted = { people: [...some, admin.personUid], act: 'deactivate' }

  expect(await act({ ...everybody, preview: true })).toMatchObject({
    done: 1,
    left: [{ person: admin.personUid, reason: 'Only another administrator can do this.' }],
  })
  expect(await people({ state: 'inactive' })).toEqual([])
  expect(await ofSite(changePeople, { body: everybody }, withKey())).toMatchObject({
    done: 1,
    left: [{ person: admin.personUid, reason: expect.stringContaining('whole organisation') }],
  })
})

test('ORG-24 over twenty people and a tenth of all are deactivated with a code only', async ({ server }) => {
  const { admin, several, people } = await administered(server)
  const some = await several(21)
  const stale = await asAdministrator(server, admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })
  const act = (count: number) =>
    stale(changePeople, { body: { people: some.slice(0, count), act: 'deactivate' } }, withKey())

  expect(await refused(act(21))).toEqual(['confirm_identity'])
  expect(await people({ state: 'inactive' })).toEqual([])
  expect(await act(20)).toMatchObject({ done: 20 })
})

test('ORG-10 with one person out of reach nothing is done', async ({ server }) => {
  const { org, act, people, several } = await administered(server, { reach: 'site' })
  const there = await server.given.occupant(await server.given.site(org, { name: 'Away' }))
  const some = await several(1)

  expect(await refused(act({ people: [...some, there], act: 'deactivate' }))).toEqual(['not_found'])
  expect(await people({ state: 'inactive' })).toEqual([])
})
