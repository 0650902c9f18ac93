import { expect } from 'vitest'
import { listAssignmentPeeps } from '#features/assignments/calls/assignments.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { directoryOf, isFreeMeanwhile } from '#server/testing/free-row.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { endPlan, getPlan, listPlans, listPlanViews, savePlan } from '../calls/plans.ts'

type Wanted = GivenInput<typeof savePlan>['body']

const whole = {
  assistance: 'Evacuation chair',
  disability: '',
  other: '',
  summary: 'Chair',
  consent: 'person',
  consent_on: '2026-01-31',
  review_on: 'today+30',
} as const satisfies Partial<Wanted>

async function planned(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind', seesPlans: true, ...over })
  const call = await asAdministrator(server, admin)
  const read = (personUid: PersonUid) => call(getPlan, { params: { personUid } })
  const save = async (personUid: PersonUid, body: Partial<Wanted> = {}) => {
    const version = (await versionOf(server, personUid)) ?? null
    return call(savePlan, { params: { personUid }, body: { version, ...whole, ...body } }, withKey())
  }
  const list = async (query: GivenInput<typeof listPlans>['query'] = {}) => (await call(listPlans, { query })).rows
  const views = (personUid: PersonUid) => call(listPlanViews, { params: { personUid } })
  return { org, admin, call, read, save, list, views }
}

const versionOf = async ({ db }: TestServer, personUid: PersonUid) =>
  (
    await db
      .selectFrom('peep')
      .select('uid')
      .where('personUid', '=', personUid)
      .where('active', '=', true)
      .executeTakeFirst()
  )?.uid

const daysFromNow = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now() + days * 86_400_000)

test('PPL-30 the list has name, place and review day by last name, and no word of a plan', async ({ server }) => {
  const { org, save, list } = await planned(server)
  const ada = await server.given.occupant(org, { firstName: 'Ada', lastName: 'Zuse' })
  const ben = await server.given.occupant(org, { firstName: 'Ben', lastName: 'Abel' })
  const [old] = [await server.given.occupant(org, { firstName: 'Old', lastName: 'Plan' })]
  await server.given.occupant(org)
  await server.given.peep(org, old)
  await save(ada)
  await save(ben, { review_on: daysFromNow(-1), disability: 'Secret words' })

  const rows = await list()

  expect(rows).toEqual([
    expect.objectContaining({ last_name: 'Abel', is_overdue: true, has_consent: true, review_on: daysFromNow(-1) }),
    expect.objectContaining({ last_name: 'Plan', is_overdue: true, has_consent: false, review_on: null }),
    {
      uid: ada,
      first_name: 'Ada',
      last_name: 'Zuse',
      place: 'Tower A - Ground',
      review_on: daysFromNow(30),
      is_overdue: false,
      has_consent: true,
      is_untold: false,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain('Secret')
  const names = async (query: Parameters<typeof list>[0]) => (await list(query)).map(({ last_name }) => last_name)
  expect(await names({ state: 'overdue' })).toEqual(['Abel', 'Plan'])
  expect(await names({ state: 'no_consent' })).toEqual(['Plan'])
  expect(await names({ q: 'zu AD' })).toEqual(['Zuse'])
})

test('PPL-30 opening a plan is recorded before the answer; a person without one leaves no view', async ({ server }) => {
  const { org, admin, read, save, views } = await planned(server)
  const person = await server.given.occupant(org)
  expect(await read(person)).toMatchObject({ person: { uid: person, place: 'Tower A - Ground' }, plan: null })
  await save(person)

  const { plan } = await read(person)

  expect(plan).toMatchObject({
    assistance: 'Evacuation chair',
    summary: 'Chair',
    consent: 'person',
    consent_on: '2026-01-31',
  })
  expect((await views(person)).map(({ who, what }) => [who, what])).toEqual([
    ['Nora Lind', 'plan_viewed'],
    ['Nora Lind', 'plan_changed'],
  ])
  const entries = await server.journalOf(person)
  expect(entries.map(({ action, actorPersonUid }) => [action, actorPersonUid])).toEqual([
    ['plan_changed', admin.personUid],
    ['plan_viewed', admin.personUid],
  ])
  expect(JSON.stringify(entries)).not.toContain('chair')
})

test('PPL-30 PPL-33 a repeat of a read with a key keeps no plan, and is recorded again', async ({ server }) => {
  const { org, call, save, views } = await planned(server)
  const person = await server.given.occupant(org)
  await save(person)
  const key = withKey()

  await call(getPlan, { params: { personUid: person } }, key)
  await call(getPlan, { params: { personUid: person } }, key)

  expect((await views(person)).filter(({ what }) => what === 'plan_viewed')).toHaveLength(2)
  const kept = await server.db.selectFrom('idempotency').select('reply').execute()
  expect(JSON.stringify(kept)).not.toContain('chair')
})

test('PPL-30 plans need the mark, and are those within reach', async ({ server }) => {
  const { org, save } = await planned(server)
  const away = await server.given.site(org, { name: 'Away' })
  const [here, there] = [await server.given.occupant(org), await server.given.occupant(away)]
  const left = await server.given.occupant(org)
  for (const person of [here, there, left]) await save(person)
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', left).execute()
  const groupUid = await givenGroup(server, org, [there])
  const seenBy = async (over: Parameters<typeof givenAdministrator>[2]) => {
    const call = await asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true, ...over }))
    const [listed, ...others] = [
      (await call(listPlans, { query: {} })).rows.map(({ uid }) => uid),
      ...(await refused(...[here, there, left].map((personUid) => call(getPlan, { params: { personUid } })))),
    ]
    return [listed, others]
  }

  expect(await seenBy({ reach: 'site', siteUid: away.siteUid })).toEqual([
    [there],
    ['not_found', 'answered', 'not_found'],
  ])
  expect(await seenBy({ reach: 'group', groupUid })).toEqual([[there], ['not_found', 'answered', 'not_found']])
  const without = await asAdministrator(server, await givenAdministrator(server, org))
  expect(await refused(without(listPlans, { query: {} }))).toEqual(['forbidden'])
})

test('PPL-32 saving needs consent with its day and a review day within 24 months, told by field', async ({
  server,
}) => {
  const { org, save } = await planned(server)
  const person = await server.given.occupant(org)
  const problemsOf = async (body: Partial<Wanted>) => {
    const error: { message?: string; fields?: string[] } = await save(person, body).then(
      () => ({}),
      (failure) => failure,
    )
    return [error.message, error.fields]
  }

  expect(await problemsOf({ consent: '', consent_on: ' ', review_on: '' })).toEqual([
    'Consent is needed',
    ['consent', 'consent_on', 'review_on'],
  ])
  expect(await problemsOf({ assistance: ' ', summary: '' })).toEqual([
    'Fill in one of the texts, or end the plan',
    ['assistance'],
  ])
  expect(await problemsOf({ consent_on: daysFromNow(2) })).toEqual(['Consent on is after today', ['consent_on']])
  expect(await problemsOf({ review_on: daysFromNow(740) })).toEqual([
    'Review on is more than 24 months away',
    ['review_on'],
  ])
  expect(await problemsOf({ other: 'x'.repeat(2001) })).toEqual(['Other is longer than 2000 characters', ['other']])
  expect(await versionOf(server, person)).toBeUndefined()
  expect(await problemsOf({ review_on: daysFromNow(725), consent: 'guardian' })).toEqual([undefined, undefined])
})

test('PEEP-11 the form takes today at the site of the person, where the organisation has another day', async ({
  server,
}) => {
  const { org, save, read } = await planned(server)
  const person = await server.given.occupant(org)
  await server.db
    .updateTable('client')
    .set({ timezone: 'Pacific/Pago_Pago' })
    .where('uid', '=', org.clientUid)
    .execute()
  await server.db.updateTable('site').set({ timezone: 'Pacific/Kiritimati' }).where('uid', '=', org.siteUid).execute()
  const { today } = (await read(person)).person

  await save(person, { consent_on: 'today', review_on: today })

  expect((await read(person)).plan).toMatchObject({ consent_on: today, review_on: today })
  // as the form sends what it has read
  await save(person, { consent_on: today, review_on: today, summary: 'Another' })
  expect((await read(person)).plan).toMatchObject({ consent_on: today, review_on: today })
})

test('PPL-33 a change ends the plan and makes another; wardens read the new one', async ({ server }) => {
  const { org, save, read } = await planned(server)
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  await save(person)
  const first = await versionOf(server, person)
  await save(person, { assistance: 'Two helpers', summary: 'Two helpers' })

  const rows = await server.db
    .selectFrom('peep')
    .select(['uid', 'assistance', 'active', 'consent'])
    .where('personUid', '=', person)
    .orderBy('active')
    .execute()
  expect(rows).toEqual([
    { uid: first, assistance: 'Evacuation chair', active: false, consent: 'person' },
    { uid: (await read(person)).plan?.version, assistance: 'Two helpers', active: true, consent: 'person' },
  ])
  const call = await server.as(warden)
  const shown = await call(listAssignmentPeeps, { params: { wardenAssignmentUID: warden.assignmentUid } })
  expect(JSON.stringify(shown)).toContain('Two helpers')
  expect(JSON.stringify(shown)).not.toContain('Chair')
})

test('PPL-33 an ended plan is read by no one, and the person may get another', async ({ server }) => {
  const { org, call, save, read, list, views } = await planned(server)
  const person = await server.given.occupant(org)
  await save(person)
  const version = (await versionOf(server, person)) as string

  await call(endPlan, { params: { personUid: person }, body: { version } }, withKey())

  expect([(await read(person)).plan, await list()]).toEqual([null, []])
  expect((await views(person)).map(({ what }) => what)).toEqual(['plan_changed', 'plan_changed'])
  await expect(call(endPlan, { params: { personUid: person }, body: { version } })).rejects.toMatchObject({
    code: 'changed_since',
  })
  await save(person, { assistance: 'Again' })
  expect((await read(person)).plan?.assistance).toBe('Again')
})

test('PPL-33 of ten who save the plan that they have read one saves, and one plan is active', async ({ server }) => {
  const { org, call, save, read } = await planned(server)
  const person = await server.given.occupant(org)
  await save(person)
  const version = (await versionOf(server, person)) as string
  const texts = Array.from({ length: 10 }, (_, n) => `Helpers ${n}`)

  const outcomes = await refused(
    ...texts.map((assistance) =>
      call(savePlan, { params: { personUid: person }, body: { ...whole, version, assistance } }, withKey()),
    ),
  )

  expect(outcomes.toSorted()).toEqual(['answered', ...Array(9).fill('changed_since')])
  expect((await read(person)).plan?.assistance).toBe(texts[outcomes.indexOf('answered')])
})

test('PPL-33 in a running event the phones are told of the person alone', async ({ server }) => {
  const { org, save } = await planned(server)
  const person = await server.given.occupant(org)
  const { eventUid } = await server.runningEvent(org)

  await save(person)

  const entries = await server.journalOf(person)
  expect(entries.filter((entry) => entry.eventUid === eventUid)).toMatchObject([
    { action: 'plan_changed', after: null },
  ])
})

test('PPL-33 PPL-02 a plan that waits for an import keeps the person from no one', async ({ server }) => {
  const { org, save } = await planned(server)
  const personUid = await server.given.occupant(org)

  const isFree = await isFreeMeanwhile(server, {
    held: directoryOf(org.clientUid),
    row: ['person', personUid],
    act: () => save(personUid),
  })

  expect(isFree).toBe(true)
})
