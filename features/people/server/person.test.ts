import { expect } from 'vitest'
import { getNow } from '#features/assignments/calls/waiting.ts'
import { getPlan, listPlans } from '#features/peeps/calls/plans.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import {
  addPerson,
  changePerson,
  deactivatePerson,
  getPerson,
  listFloorChoices,
  listPeople,
  reactivatePerson,
} from '../calls/people.ts'

type Change = Omit<CallInput<typeof changePerson>['body'], 'version'>

/** An organisation with an administrator, and what they do. */
async function administered(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const siteUid = over.reach === 'site' ? org.siteUid : undefined
  const admin = await givenAdministrator(server, org, { ...over, ...(siteUid && { siteUid }) })
  const call = await asAdministrator(server, admin)
  const see = (uid: PersonUid) => call(getPerson, { params: { uid } })
  const add = (body: CallInput<typeof addPerson>['body']) => call(addPerson, { body }, withKey())
  const change = async (uid: PersonUid, fields: Change, version?: string) =>
    call(
      changePerson,
      { params: { uid }, body: { version: version ?? (await see(uid)).version, ...fields } },
      withKey(),
    )
  const deactivate = (uid: PersonUid) => call(deactivatePerson, { params: { uid } }, withKey())
  const reactivate = (uid: PersonUid) => call(reactivatePerson, { params: { uid } }, withKey())
  return { org, admin, call, see, add, change, deactivate, reactivate }
}

test('PPL-06 a new person gets a code, and is read back with place, groups and assignments', async ({ server }) => {
  const { org, admin, add, see } = await administered(server)

  const { uid } = await add({
    first_name: ' Zoë ',
    last_name: 'Müller',
    email: 'Zoe@a.test',
    mobile: '0491 000 001',
    place: org.floorUid,
  })
  const second = await add({ first_name: 'A', last_name: 'B' })

  expect(await see(uid)).toMatchObject({
    first_name: 'Zoë',
    last_name: 'Müller',
    code: 'P-000001',
    mobile: '+61491000001',
    kind: 'staff',
    building: { uid: org.buildingUid },
    floor: { uid: org.floorUid },
    groups: [],
    assignments: [],
    active: true,
    sign_in: { is_needed: false, ways: [], has_password: false, sessions: 0, invited: null, second_factor: null },
  })
  expect(await see(second.uid)).toMatchObject({ code: 'P-000002', building: null, floor: null })
  expect(await server.journalOf(uid)).toMatchObject([{ action: 'person_added', actorPersonUid: admin.personUid }])
})

test('NUM-03 a second number is read in every spelling, stays when another field changes, and signs no one in', async ({
  server,
}) => {
  const { add, see, change } = await administered(server)
  const { uid } = await add({ first_name: 'Ada', last_name: 'Abara', second_mobile: '+61 (0)3 9100-0001' })
  expect(await see(uid)).toMatchObject({ mobile: null, second_mobile: '+61391000001', sign_in: { ways: [] } })

  await change(uid, { last_name: 'Bolt' })
  expect(await see(uid)).toMatchObject({ last_name: 'Bolt', second_mobile: '+61391000001' })
  await change(uid, { second_mobile: '02 9100 0002' })
  expect(await see(uid)).toMatchObject({ second_mobile: '+61291000002' })
  await expect(change(uid, { mobile: '02 9100 0002' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('is a landline, which takes no texts: enter it as the second number'),
  })
  await expect(change(uid, { second_mobile: 'ask at the desk' })).rejects.toMatchObject({ code: 'invalid_request' })
  await change(uid, { second_mobile: '' })

  expect(await see(uid)).toMatchObject({ second_mobile: null })
})

test('PPL-95 PPL-18 a new person comes into the groups that are chosen, from the organisation alone', async ({
  server,
}) => {
  const { org, add, see } = await administered(server)
  const site = await administered(server, { reach: 'site' })
  const names = { first_name: 'Kim', last_name: 'Lee' }
  const [dental, other] = [await givenGroup(server, org), await givenGroup(server, site.org)]

  const { uid } = await add({ ...names, groups: [dental, dental] })

  expect((await see(uid)).groups.map(({ uid }) => uid)).toEqual([dental])
  const elsewhere = { ...names, place: site.org.floorUid, groups: [other] }
  expect(await refused(site.add(elsewhere), add({ ...names, groups: [other] }))).toEqual(['forbidden', 'not_found'])
  expect((await site.call(listPeople, { query: { q: 'Kim' } })).total).toBe(0)
})

test('ORG-32 PPL-01 each wrong field has its reason, and nothing is written', async ({ server }) => {
  const { org, call } = await administered(server)
  const body = { first_name: '', last_name: ' ', email: 'no address', place: org.buildingUid }

  const { error } = await call(addPerson, { body }, withKey()).then(
    () => ({ error: undefined }),
    (error: { problems: { field: string; message: string }[] }) => ({ error }),
  )

  expect(error?.problems.map(({ field, message }) => [field, message])).toEqual([
    ['first_name', 'Enter a first name or a last name.'],
    ['email', 'Email is not an email address'],
    ['floor', expect.stringContaining('has no floor')],
  ])
  expect((await call(listPeople, {})).total).toBe(1)
})

test('NUM-06 one name is enough, is kept as the last name, and may get a second one', async ({ server }) => {
  const { add, see, change } = await administered(server)
  const namesOf = async (uid: PersonUid) => {
    const { first_name, last_name } = await see(uid)
    return [first_name, last_name]
  }

  const { uid } = await add({ first_name: ' Suharto ' })
  const alone = await namesOf(uid)
  await change(uid, { first_name: 'Haji' })
  const both = await namesOf(uid)
  await change(uid, { last_name: '' })

  expect([alone, both, await namesOf(uid)]).toEqual([
    ['', 'Suharto'],
    ['Haji', 'Suharto'],
    ['', 'Haji'],
  ])
  await expect(change(uid, { last_name: '' })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: ['first_name'],
    message: 'Enter a first name or a last name.',
  })
})

test('ORG-33 who saves an older state is told when it was changed, and nothing is lost', async ({ server }) => {
  const { org, see, change } = await administered(server)
  const uid = await server.given.occupant(org, { lastName: 'Old' })
  const { version } = await see(uid)
  const mine = await change(uid, { last_name: 'Mine' }, version)

  await expect(change(uid, { last_name: 'Theirs' }, version)).rejects.toMatchObject({
    code: 'changed_since',
    message: expect.stringMatching(/^Someone else changed this at \d\d:\d\d\.$/),
  })
  expect(await see(uid)).toMatchObject({ last_name: 'Mine', version: mine.version })
  await change(uid, { first_name: 'New' }, mine.version)
  expect(await see(uid)).toMatchObject({ first_name: 'New', last_name: 'Mine' })
})

test('ORG-33 of many who save one state at once, one saves and the others are told', async ({ server }) => {
  const { org, see, change } = await administered(server)
  const uid = await server.given.occupant(org)
  const { version } = await see(uid)

  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => change(uid, { last_name: `Name ${n}` }, version)),
  )

  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))).toEqual(
    Array.from({ length: 7 }, () => 'changed_since'),
  )
})

test('PPL-08 a deactivation ends the sessions at once, and reactivating brings everything back', async ({ server }) => {
  const { org, see, deactivate, reactivate, call } = await administered(server)
  const warden = await server.given.warden(org)
  const groupUid = await givenGroup(server, org, [warden.personUid])
  const asWarden = await server.as(warden)

  await deactivate(warden.personUid)

  expect(await refused(asWarden('GET /api/user', {}))).toEqual(['not_signed_in'])
  expect((await call(listPeople, { query: { wardens: 'yes' } })).rows).toEqual([])
  expect(await see(warden.personUid)).toMatchObject({ active: false, sign_in: { ways: [], is_needed: false } })
  await reactivate(warden.personUid)
  expect(await see(warden.personUid)).toMatchObject({
    active: true,
    groups: [{ uid: groupUid }],
    assignments: [{ role: 'Floor Warden', status: 'Accepted' }],
    sign_in: { ways: ['password', 'mobile link'], is_needed: true },
  })
  const actions = (await server.journalOf(warden.personUid)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['person_deactivated', 'person_reactivated']))
})

test('PPL-08 someone who comes back has a plan to be reviewed, also where the administrator may not see plans', async ({
  server,
}) => {
  const { org, deactivate, reactivate } = await administered(server)
  const [planned, bare] = [await server.given.occupant(org), await server.given.occupant(org)]
  const plan = { summary: 'Chair', assistance: 'Two people', reviewOn: '2199-01-01', consent: 'person' }
  await server.db
    .insertInto('peep')
    .values({ clientUid: org.clientUid, personUid: planned, ...plan })
    .execute()
  const marked = await asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true }))
  const overdue = async () => (await marked(listPlans, { query: { state: 'overdue' } })).rows.map(({ uid }) => uid)
  expect(await overdue()).toEqual([])

  for (const uid of [planned, bare]) {
    await deactivate(uid)
    await reactivate(uid)
  }

  expect(await overdue()).toEqual([planned])
  expect((await marked(getPlan, { params: { personUid: planned } })).plan).toMatchObject({
    summary: 'Chair',
    assistance: 'Two people',
    consent: 'person',
  })
  await deactivate(planned)
  await reactivate(planned)
  expect(await overdue()).toEqual([planned])
})

test('ORG-44 PPL-08 of someone on duty the deactivation waits, an occupant of the event leaves at once', async ({
  server,
}) => {
  const { org, see, deactivate, call } = await administered(server)
  const occupant = await server.given.occupant(org)
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  await server.onDuty(warden)

  expect(await deactivate(warden.personUid)).toEqual({ status: 'waits' })
  await deactivate(occupant)
  expect(await see(warden.personUid)).toMatchObject({ active: true, on_duty_at: org.siteName })
  expect((await call(getNow, {})).waiting).toMatchObject([{ kind: 'deactivation' }])
  expect(await see(occupant)).toMatchObject({ active: false })
})

test('ORG-12 ORG-13 the last administrator is neither deactivated nor made a visitor, nor left without a name', async ({
  server,
}) => {
  const { org, admin, change, deactivate } = await administered(server)
  const visitor = { kind: 'visitor', place: org.floorUid, visit_date: 'today' } as const

  expect(
    await refused(
      deactivate(admin.personUid),
      change(admin.personUid, visitor),
      change(admin.personUid, { email: '', username: '' }),
    ),
  ).toEqual(['forbidden', 'forbidden', 'last_administrator'])
  const second = await givenAdministrator(server, org)
  await deactivate(second.personUid)
})

test('ORG-17 how an administrator signs in is for those of the whole organisation; the old address is told', async ({
  server,
}) => {
  const { org, see, change, deactivate } = await administered(server, { reach: 'site' })
  const whole = await givenAdministrator(server, org)
  const other = await givenAdministrator(server, org, { email: 'old@a.test' })
  for (const { personUid } of [whole, other])
    await server.db.updateTable('person').set({ primaryFloorUid: org.floorUid }).where('uid', '=', personUid).execute()
  const call = await asAdministrator(server, whole)
  const { version } = await see(other.personUid)

  expect(
    await refused(
      change(other.personUid, { email: 'new@a.test' }),
      change(other.personUid, { mobile: '0491000009' }),
      change(other.personUid, { username: 'x1' }),
      deactivate(other.personUid),
    ),
  ).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden'])
  expect(await see(other.personUid)).toMatchObject({ may_change_sign_in: false })
  const body = { version, email: 'new@a.test' }
  await call(changePerson, { params: { uid: other.personUid }, body }, withKey())
  await sendMails(server)
  expect(await mailsTo(server, 'old@a.test')).toMatchObject([{ subject: 'Your sign-in address was changed' }])
})

test('ORG-10 no one is moved or added outside the reach; a group gains whom its administrator adds', async ({
  server,
}) => {
  const { org, add, change, call } = await administered(server, { reach: 'site' })
  const away = await server.given.site(org, { name: 'Away' })
  const here = await server.given.occupant(org)
  const there = await server.given.occupant(away)
  const groupUid = await givenGroup(server, org)
  const ofGroup = await asAdministrator(server, await givenAdministrator(server, org, { reach: 'group', groupUid }))

  expect(
    await refused(
      add({ first_name: 'A', last_name: 'B' }),
      add({ first_name: 'A', last_name: 'B', place: away.floorUid }),
      change(here, { place: null }),
      change(here, { place: away.floorUid }),
      call(deactivatePerson, { params: { uid: there } }, withKey()),
      call(listFloorChoices, { query: { building: away.buildingUid } }),
    ),
  ).toEqual(['invalid_request', 'not_found', 'invalid_request', 'not_found', 'not_found', 'not_found'])
  const { uid } = await ofGroup(addPerson, { body: { first_name: 'In', last_name: 'Group' } }, withKey())
  expect((await ofGroup(listPeople, {})).rows).toMatchObject([{ uid }])
})

test('PPL-30 how a plan stands is shown with the Plans permission alone, without its text, and is no view', async ({
  server,
}) => {
  const { org, see } = await administered(server, { seesPlans: true })
  const uid = await server.given.occupant(org)
  expect((await see(uid)).plan).toBeNull()
  await server.given.peep(org, uid)
  const unmarked = await asAdministrator(server, await givenAdministrator(server, org))

  const shown = await see(uid)

  expect(shown.plan).toEqual({ review_on: null, is_overdue: true, has_consent: false })
  expect(await unmarked(getPerson, { params: { uid } })).toMatchObject({ plan: null })
  expect(await server.journalOf(uid)).toEqual([])
})
