import { expect } from 'vitest'
import { listAudit } from '#features/organisation/calls/audit.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { downloadPerson } from '../calls/person-data.ts'
import { givenNamed } from './erase.fixture.ts'

test('PPL-17 the file has all that is kept about a person, and nothing that opens anything', async ({ server }) => {
  const at = await givenNamed(server)
  const { names, org, personUid } = at
  await givenGroup(server, org, [personUid])
  const data = await at.call(downloadPerson, { params: { uid: personUid } }, withKey())

  expect(data).toMatchObject({
    organisation: org.name,
    plans: null,
    person: {
      first_name: names.firstName,
      last_name: names.lastName,
      mobile: names.mobile,
      second_mobile: names.second,
    },
    account: { email: names.email, username: names.username, has_password: true, second_factor_set_at: null },
    groups: [{ name: expect.stringMatching(/^Group/) }],
    assignments: [{ role: 'Floor Warden', site: org.siteName, status: 'Accepted' }],
    documents: [{ name: `Certificate of ${names.name}` }],
    sessions: [{ sign_in_method: 'Email' }],
    events: [{ site: org.siteName, status: 'safe', event_ended_at: expect.any(String) }],
    participations: [{ site: org.siteName, reported_in: true }],
    messages: [{ text: `Where is ${names.name}?` }],
    texts: expect.arrayContaining([expect.objectContaining({ to_mobile: names.mobile, status: 'failed' })]),
    mails: [{ to_email: names.email }],
    calls: [{ way: 'second_call', to_mobile: names.second, say: `Is ${names.name} safe?`, digit: '2' }],
  })
  expect(JSON.stringify(data)).not.toMatch(/token_hash|password_hash|walks slowly/)
  expect(await server.journalOf(personUid)).toMatchObject([
    { action: 'data_exported', actorPersonUid: at.admin.personUid, after: { plans: false } },
  ])
  expect((await at.call(listAudit, { query: { kind: 'tables' } })).rows[0]).toMatchObject({ action: 'data_exported' })
})

test('PPL-17 PPL-30 plans are in the file with the Plans permission only, and that is a view', async ({ server }) => {
  const at = await givenNamed(server)
  const marked = await asAdministrator(server, await givenAdministrator(server, at.org, { seesPlans: true }))

  const data = await marked(downloadPerson, { params: { uid: at.personUid } }, withKey())

  expect(data.plans).toMatchObject([{ summary: `${at.names.name} walks slowly` }])
  expect((await server.journalOf(at.personUid)).map(({ action }) => action)).toEqual(['data_exported', 'plan_viewed'])
})

test('PPL-17 ORG-10 no one downloads the data of a person beyond the own reach', async ({ server }) => {
  const at = await givenNamed(server)
  const ofGroup = await at.ofGroup([])
  const foreign = await asAdministrator(server, await givenAdministrator(server, await server.given.organisation()))

  expect(
    await refused(
      ...[ofGroup, foreign].map((call) => call(downloadPerson, { params: { uid: at.personUid } }, withKey())),
    ),
  ).toEqual(['not_found', 'not_found'])
  expect(await server.journalOf(at.personUid)).toEqual([])
})
