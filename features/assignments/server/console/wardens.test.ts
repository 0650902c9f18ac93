import { expect } from 'vitest'
import type { FloorUid, PersonUid, WardenRoleUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { updateAssignmentStatus } from '../../calls/assignments.ts'
import {
  addRole,
  changeAssignment,
  changeRole,
  downloadAssignments,
  listAssignments,
  listRoles,
  offerRole,
  withdrawAssignment,
} from '../../calls/wardens.ts'

type Offer = GivenInput<typeof offerRole>['body']

/** An organisation whose floor role can be offered. */
async function offering(server: TestServer) {
  const at = await givenConsole(server)
  const held = await server.given.warden(at.org)
  const { roleUid } = await server.db
    .selectFrom('wardenAssignment')
    .select('roleUid')
    .where('uid', '=', held.assignmentUid)
    .executeTakeFirstOrThrow()
  const role = roleUid as WardenRoleUid
  const usual: Omit<Offer, 'people'> = {
    role,
    site: at.org.siteUid,
    places: [at.org.floors[1]],
    from: '2026-01-01',
    to: '2099-12-31',
    accepted: false,
    tell: false,
  }
  const offer = (people: PersonUid[], over: Partial<Offer> = {}) =>
    at.call(offerRole, { body: { ...usual, people, ...over } })
  const of = async ({ personUid }: Pick<Warden, 'personUid'>) =>
    (await at.call(listAssignments, { query: { person: personUid, role } })).rows
  return { ...at, held, role, offer, of }
}

test('PPL-24 PPL-25 an offer stands in the list until its warden accepts or declines on the phone', async ({
  server,
}) => {
  const { call, org, offer, of } = await offering(server)
  const [kim, lee] = [
    await server.given.warden(org, { role: 'Chief Warden' }),
    await server.given.warden(org, { role: 'Chief Warden' }),
  ]

  expect(await offer([kim.personUid, lee.personUid])).toEqual({ offered: 2, told: 0 })
  const [offered] = await of(kim)
  const answer = async (warden: Warden, body: object) =>
    (await server.as(warden))(updateAssignmentStatus, {
      body: { Warden_Assignment_UID: (await of(warden))[0]?.uid as never, ...body } as never,
    })
  await answer(kim, { Assignment_Status: 'Accepted' })
  await answer(lee, { Assignment_Status: 'Declined', Assignment_Declined_Note: 'On leave' })

  expect(offered).toMatchObject({
    state: 'offered',
    from: '2026-01-01',
    to: '2099-12-31',
    reason: null,
    is_on_duty: false,
    places: [{ uid: org.floors[1], name: 'Tower A - Level 1' }],
  })
  expect(await of(kim)).toMatchObject([{ state: 'accepted' }])
  expect(await of(lee)).toMatchObject([{ state: 'declined', reason: 'On leave' }])
  const states = async (state: 'accepted' | 'declined') => (await call(listAssignments, { query: { state } })).total
  expect([await states('accepted'), await states('declined')]).toEqual([4, 1])
})

test('ORG-50 ORG-51 assignments are sorted by each column, and downloaded in that order, without reasons', async ({
  server,
}) => {
  const { call, org, offer } = await offering(server)
  const [kim, lee] = [
    await server.given.occupant(org, { firstName: 'Kim', lastName: 'Aa' }),
    await server.given.occupant(org, { firstName: 'Lee', lastName: '=Zz' }),
  ]
  await offer([kim], { from: '2026-03-01', places: [org.floors[2]] })
  await offer([lee], { from: '2026-02-01', places: [org.floors[0]], accepted: true })
  const names = async (sort: NonNullable<GivenInput<typeof listAssignments>['query']>['sort']) =>
    (await call(listAssignments, { query: { sort } })).rows
      .map(({ person }) => person.first_name)
      .filter((name) => name === 'Kim' || name === 'Lee')

  expect(await names('days')).toEqual(['Lee', 'Kim'])
  expect(await names('-days')).toEqual(['Kim', 'Lee'])
  expect(await names('where')).toEqual(['Lee', 'Kim'])
  expect(await names('-state')).toEqual(['Kim', 'Lee'])
  expect(await names('role')).toEqual(await names(undefined))
  const { csv } = await call(downloadAssignments, { body: { state: 'offered', sort: '-name' } }, withKey())
  expect(csv).toBe(
    `\ufeffLast name,First name,Role,Site,Places,From,To,State\r\nAa,Kim,Floor Warden,${org.siteName},Tower A - Level 2,2026-03-01,2099-12-31,Offered\r\n`,
  )
  expect((await call(downloadAssignments, { body: { q: 'lee' } }, withKey())).csv).toContain("\r\n'=Zz,Lee,")
})

test('PPL-25 someone who has agreed already is entered as accepted, and joins the running event', async ({
  server,
}) => {
  const { org, offer, of } = await offering(server)
  const person = await server.given.occupant(org, { firstName: 'New' })
  const { eventUid } = await server.runningEvent(org)

  await offer([person], { accepted: true })

  const [assignment] = await of({ personUid: person })
  expect(assignment).toMatchObject({ state: 'accepted' })
  expect(await server.signInOf(eventUid, { assignmentUid: assignment?.uid as never })).toMatchObject({ onDuty: false })
})

test('PPL-94 a role is offered to each on their own floor, which their mail names; without one no one is asked', async ({
  server,
}) => {
  const { org, offer, of } = await offering(server)
  const [kim, ann, none] = [
    await server.given.warden(org, { role: 'Chief Warden' }),
    await server.given.warden(org, { role: 'Chief Warden' }),
    await server.given.occupant(org, { firstName: 'No', lastName: 'Floor' }),
  ]
  const live = (personUid: PersonUid, primaryFloorUid: FloorUid | null) =>
    server.db.updateTable('person').set({ primaryFloorUid }).where('uid', '=', personUid).execute()
  await live(kim.personUid, org.floors[1] as FloorUid)
  await live(ann.personUid, org.floors[0] as FloorUid)
  await live(none, null)
  const each = { places: [], own_floors: true, tell: true }

  expect(await refused(offer([kim.personUid, none], each))).toEqual(['invalid_request'])
  expect(await of(kim)).toEqual([])
  expect(await refused(offer([kim.personUid], { ...each, places: [org.floors[1]] }))).toEqual(['invalid_request'])
  await offer([kim.personUid, ann.personUid], each)
  await sendMails(server)

  const placesOf = async (warden: Warden) => (await of(warden))[0]?.places.map(({ uid }) => uid)
  expect([await placesOf(kim), await placesOf(ann)]).toEqual([[org.floors[1]], [org.floors[0]]])
  const [mail] = await mailsTo(server, kim.email)
  expect(mail?.body).toContain('Tower A - Level 1. Accept')
})

test('PPL-25 people are told by mail, or by text where there is no address', async ({ server }) => {
  const { org, offer, of } = await offering(server)
  const mailed = await server.given.warden(org, { role: 'Chief Warden' })
  const texted = await server.given.warden(org, { role: 'Chief Warden', mobile: '61491000123' })
  for (const table of ['account', 'person'] as const)
    await server.db.updateTable(table).set({ email: null }).where('email', '=', texted.email).execute()

  expect(await offer([mailed.personUid, texted.personUid], { tell: true })).toEqual({ offered: 2, told: 2 })
  await sendMails(server)
  await sendTexts(server)

  const [{ uid } = { uid: '' }] = await of(mailed)
  expect(await mailsTo(server, mailed.email)).toEqual([
    {
      subject: `${org.name} asks you to be Floor Warden`,
      body: `1 Jan 2026 to 31 Dec 2099, Tower A - Level 1. Accept or decline:\n${server.config.appUrl}/warden-assignment/${uid}\n\n${org.name}, All Wardens`,
    },
  ])
  const texts = await server.db.selectFrom('sms').select(['kind', 'toMobile', 'body', 'status']).execute()
  expect(texts).toEqual([
    {
      kind: 'offer',
      toMobile: '61491000123',
      status: 'delivered',
      body: `All Wardens: ${org.name} asks you to be Floor Warden from 1 Jan 2026. Sign in with this number: ${server.config.appUrl}/login`,
    },
  ])
  const spend = await server.db.selectFrom('smsSpend').select('pot').where('clientUid', '=', org.clientUid).execute()
  expect(spend).toEqual([{ pot: 'links' }])
})

test('PPL-26 of eight offers of one person, role, site and first day at once one stands; the others are taken', async ({
  server,
}) => {
  const { org, offer, of } = await offering(server)
  const person = await server.given.occupant(org)

  const outcomes = await refused(...Array.from({ length: 8 }, () => offer([person])))

  expect(outcomes.toSorted()).toEqual(['answered', ...Array(7).fill('taken')])
  expect(await of({ personUid: person })).toHaveLength(1)
})

test('PPL-26 a withdrawn one can be offered anew; a reason has 1 to 500 characters', async ({ server }) => {
  const { call, org, offer, of } = await offering(server)
  const person = await server.given.occupant(org)
  await offer([person])
  const [{ uid } = { uid: '' as never }] = await of({ personUid: person })
  const withdraw = (reason: string) => call(withdrawAssignment, { params: { uid }, body: { reason } })

  expect(await refused(withdraw(' '), withdraw('x'.repeat(501)))).toEqual(['invalid_request', 'invalid_request'])
  expect(await withdraw('Moves away')).toEqual({ status: 'done' })
  expect(await of({ personUid: person })).toMatchObject([{ state: 'withdrawn', reason: 'Moves away' }])
  expect(await refused(withdraw('Again'))).toEqual(['invalid_transition'])
  await offer([person])
  expect(await of({ personUid: person })).toMatchObject([{ uid, state: 'offered', reason: null }])
})

test('PPL-26 ORG-33 days and places change; an older form is told, and a first day that is used is taken', async ({
  server,
}) => {
  const { call, org, offer, of } = await offering(server)
  const person = await server.given.occupant(org)
  await offer([person])
  await offer([person], { from: '2030-01-01' })
  const later = (await of({ personUid: person })).find(({ from }) => from === '2030-01-01')
  const params = { uid: later?.uid as never }
  const change = (over: object) =>
    call(changeAssignment, {
      params,
      body: { version: later?.version ?? '', from: '2030-01-01', to: '2031-01-01', places: [org.floors[2]], ...over },
    })

  expect(await refused(change({ from: '2026-01-01' }))).toEqual(['taken'])
  expect(await refused(change({ to: '2029-01-01' }))).toEqual(['invalid_request'])
  await change({})
  expect(await refused(change({ places: [org.floors[0]] }))).toEqual(['changed_since'])
  const changed = (await of({ personUid: person })).find(({ from }) => from === '2030-01-01')
  expect(changed).toMatchObject({ to: '2031-01-01', places: [{ name: 'Tower A - Level 2' }] })
})

test('ORG-10 PPL-25 a site offers at its site alone, a group to its members and no Chief Warden', async ({
  server,
}) => {
  const { org, role, ofSite, ofGroup, offer } = await offering(server)
  const [member, other] = [await server.given.occupant(org), await server.given.occupant(org)]
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const away = await server.given.site(org)
  const [group, site] = [await ofGroup([member]), await ofSite(away.siteUid)]
  const chiefRole = await server.db
    .selectFrom('wardenAssignment')
    .select('roleUid')
    .where('uid', '=', chief.assignmentUid)
    .executeTakeFirstOrThrow()
  const body = {
    role,
    site: org.siteUid,
    places: [org.floorUid],
    from: '2026-01-01',
    to: '2099-12-31',
    accepted: false,
    tell: false,
  }
  const wide = { ...body, role: chiefRole.roleUid as WardenRoleUid, places: [] }

  expect(await refused(group(offerRole, { body: { ...body, people: [member] } }))).toEqual(['answered'])
  expect(await refused(group(offerRole, { body: { ...body, people: [other] } }))).toEqual(['not_found'])
  expect(await refused(group(offerRole, { body: { ...wide, people: [member] } }))).toEqual(['not_found'])
  expect(await refused(site(offerRole, { body: { ...body, people: [other] } }))).toEqual(['not_found'])
  expect(await refused(offer([other], { places: [away.floorUid] }))).toEqual(['not_found'])
  expect((await site(listAssignments, {})).rows).toEqual([])
  expect((await group(listAssignments, {})).rows.map(({ person }) => person.uid)).toEqual([member])
})

test('PPL-23 a role has nine modules; its domain is fixed once assigned; off, it is offered no more', async ({
  server,
}) => {
  const { call, org, role, offer, ofSite } = await offering(server)
  const { uid } = await call(addRole, {
    body: { name: 'Runner', domain: 'Area', modules: ['My_Messages', 'Floor_Evacuation'] },
  })
  const of = async (one: WardenRoleUid) => (await call(listRoles, {})).rows.find((row) => row.uid === one)
  const change = async (one: WardenRoleUid, over: object) => {
    const { version = '', name = '', domain = 'Floor', modules = [], in_use = true } = (await of(one)) ?? {}
    return call(changeRole, {
      params: { uid: one },
      body: { version, name, domain, modules, in_use, ...over } as never,
    })
  }

  expect(await of(uid)).toMatchObject({
    modules: ['Floor_Evacuation', 'My_Messages'],
    holders: 0,
    was_assigned: false,
    code: 'R-001',
  })
  await change(uid, { domain: 'Floor', name: 'Messenger' })
  expect(await of(uid)).toMatchObject({ name: 'Messenger', domain: 'Floor', command_order: null })
  // CMD-03: a form that does not know the place in the chain of command keeps it
  await change(uid, { command_order: 2 })
  await change(uid, {})
  expect(await of(uid)).toMatchObject({ command_order: 2 })
  await change(uid, { command_order: null })
  expect(await of(uid)).toMatchObject({ command_order: null })
  expect(await refused(change(role, { domain: 'Area' }))).toEqual(['in_use'])
  await change(role, { in_use: false })
  expect(await refused(offer([await server.given.occupant(org)]))).toEqual(['not_found'])
  expect(await refused((await ofSite())(addRole, { body: { name: 'Own', domain: 'Floor', modules: [] } }))).toEqual([
    'forbidden',
  ])
})

test('PPL-23 ORG-41 modules are added at once in an event, and not taken from who is on duty', async ({ server }) => {
  const { call, org, held, role } = await offering(server)
  await server.runningEvent(org)
  await server.onDuty(held)
  const of = async () => (await call(listRoles, {})).rows.find(({ uid }) => uid === role)
  const before = await of()
  const change = (modules: string[], version = before?.version ?? '') =>
    call(changeRole, {
      params: { uid: role },
      body: { version, name: 'Floor Warden', domain: 'Floor', modules: modules as never, in_use: true },
    })

  expect(before).toMatchObject({ on_duty_at: org.siteName })
  await expect(change(before?.modules.slice(1) ?? [])).rejects.toMatchObject({
    code: 'in_event',
    message: `An event is running at ${org.siteName}. This can be changed when it has ended.`,
  })
  await change([...(before?.modules ?? []), 'Building_Evacuation_Status'])
  expect((await of())?.modules).toContain('Building_Evacuation_Status')
})

test("PPL-23 'No one can start an event at {site}' until someone has accepted Event_Management for today", async ({
  server,
}) => {
  const { call, org } = await offering(server)
  const without = async () => (await call(listRoles, {})).without_manager.map(({ name }) => name)

  await server.given.warden(org, { role: 'Chief Warden', status: 'Offered' })
  expect(await without()).toEqual([org.siteName])
  await server.given.warden(org, { role: 'Chief Warden' })
  expect(await without()).toEqual([])
})
