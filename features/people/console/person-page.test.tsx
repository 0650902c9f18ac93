import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listAudit } from '#features/organisation/calls/audit.ts'
import type { BuildingUid, FloorUid, GroupUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import {
  givenConsole,
  listPage,
  mayDo,
  personRow,
  quay,
  serveConsole,
  someAuthority,
  someMe,
  somePerson,
} from '#web/testing/console.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { changeMembers } from '../calls/groups.ts'
import {
  addPerson,
  changePerson,
  deactivatePerson,
  getPerson,
  listFloorChoices,
  listPeopleChoices,
  type Person,
} from '../calls/people.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const tower = { uid: '00000000-0000-4000-8000-00000000fb01' as BuildingUid, name: 'Tower A', site: quay.uid }
const level = { uid: '00000000-0000-4000-8000-00000000fb02' as FloorUid, name: 'Level 3' }

const person = (over: Partial<Person> = {}) =>
  somePerson({ building: { uid: tower.uid, name: tower.name }, floor: level, ...over })
const open = (at: string = personRow(1).uid) => renderScreen(<Console />, { at: `/console/people/${at}`, auth: null })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listPeopleChoices, { sites: [quay], buildings: [tower], groups: [] })
  server.answer(listFloorChoices, [level])
  server.answer(getPerson, person())
  server.answer(listAudit, listPage([]))
})

afterEach(() => page.viewport(390, 844))

test('PPL-06 a person is added: staff without a floor are counted nowhere, and the form says so', async () => {
  server.answer(addPerson, { uid: personRow(1).uid })
  const screen = await open('new')
  await expect.element(page.getByText('Not counted in any event until a floor is set.')).toBeVisible()
  await expectNoAxeViolations()
  await field('First name').fill('Kim')
  await field('Last name').fill('Lee')
  await field('Building').selectOptions('Harbour Quarter - Tower A')
  await field('Floor').selectOptions('Level 3')
  expect(page.getByText('Not counted in any event until a floor is set.').query()).toBeNull()
  await button('Add').click()

  await expect.element(page.getByText('Added Kim Lee.')).toBeVisible()
  expect(server.received(addPerson)[0]?.input.body).toEqual({ first_name: 'Kim', last_name: 'Lee', place: level.uid })
  await expect.poll(() => screen.address()).toBe(`/console/people/${personRow(1).uid}`)
})

test('ORG-32 the reason stands below its field, which has the focus; what was typed stays', async () => {
  const problems = [{ field: 'email', row: 1, message: 'Email is not an email address' }]
  server.answer(changePerson, refused('invalid_request', 'Email is not an email address', problems))
  await open()
  await field('Email').fill('no address')
  await userEvent.keyboard('{Enter}')

  await expect.element(field('Email')).toHaveAccessibleDescription('Email is not an email address')
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(field('Email')).toHaveValue('no address')
  await expectNoAxeViolations()
})

test('ORG-32 leaving with changes asks; staying keeps them, leaving goes on', async () => {
  const screen = await open()
  await field('Last name').fill('Leeds')
  await button('Cancel').click()
  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect.element(asked.getByRole('button', { name: 'Stay' })).toHaveFocus()
  await expectNoAxeViolations()
  await asked.getByRole('button', { name: 'Stay' }).click()
  await expect.element(field('Last name')).toHaveValue('Leeds')

  await page.getByRole('link', { name: 'Overview' }).click()
  await asked.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(() => screen.address()).toBe('/console')
})

test('ORG-33 what both have changed stands side by side, and is saved as chosen', async () => {
  let isFirst = true
  server.answer(changePerson, () => {
    if (!isFirst) return { version: 'v3' }
    isFirst = false
    server.answer(getPerson, person({ version: 'v2', last_name: 'Theirs', code: 'NEW', username: 'kim' }))
    return refused('changed_since', 'Someone else changed this at 10:42.')
  })
  await open()
  await field('Last name').fill('Mine')
  await field('Code').fill('MINE')
  await button('Save').click()

  await expect.element(page.getByText('Someone else changed this at 10:42.')).toBeVisible()
  await expect.element(field('User name')).toHaveValue('kim')
  await expect.element(button('Save')).toBeDisabled()
  await expectNoAxeViolations()
  await button('Keep mine: Last name').click()
  await button('Take theirs: Code').click()
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(changePerson)[1]?.input.body).toEqual({ version: 'v2', last_name: 'Mine' })
})

test('ORG-34 saved twice, the second time is a change of its own', async () => {
  server.answer(changePerson, { version: 'v2' })
  await open()
  await field('Last name').fill('Leeds')
  await button('Save').click()
  await expect.poll(() => server.received(changePerson).length).toBe(1)
  await expect.element(page.getByText('Saved.')).toBeVisible()
  await button('Save').click()
  await expect.poll(() => server.received(changePerson).length).toBe(2)

  const [first, second] = server.received(changePerson).map(({ headers }) => headers.get('idempotency-key'))
  expect(second).not.toBe(first)
})

test('ORG-34 without connection nothing is lost, and the same change has the same key', async () => {
  server.answer(changePerson, cutOff)
  await open()
  await field('Last name').fill('Leeds')
  await button('Save').click()
  await expect.element(page.getByText(/No connection/).first()).toBeVisible()
  await expect.element(field('Last name')).toHaveValue('Leeds')
  server.answer(changePerson, { version: 'v2' })
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  const keys = server.received(changePerson).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
})

test('PPL-10 the sign-in panel says how someone signs in, when, and who invited them', async () => {
  server.answer(
    getPerson,
    person({
      assignments: [
        { role: 'Floor Warden', site: 'Quay', date_from: '2026-01-01', date_to: '2026-12-31', status: 'Accepted' },
      ],
      sign_in: {
        ways: ['password', 'mobile link'],
        is_needed: true,
        has_password: true,
        sessions: 2,
        second_factor: true,
        last_sign_in: '2026-11-22T23:42:00.000Z',
        invited: { at: '2026-11-20T00:00:00.000Z', by: 'Nora Lind' },
        acts: ['invite', 'password_link', 'sign_out'],
      },
    }),
  )
  await open()

  for (const text of [
    'Can sign in by: password, mobile link',
    '23 Nov 2026, 10:42 AEDT',
    '2 phones',
    '20 Nov 2026, 11:00 AEDT by Nora Lind',
    'Set up',
    'Accepted, 01 Jan 2026 - 31 Dec 2026',
  ])
    await expect.element(page.getByText(text)).toBeVisible()
  await expectNoAxeViolations()
})

test('PPL-08 a deactivation is asked about, with Cancel in focus', async () => {
  server.answer(deactivatePerson, { status: 'deactivated' })
  await open()
  await button('Deactivate').click()
  const asked = page.getByRole('alertdialog', { name: 'Deactivate Kim Lee?' })
  await expect.element(asked.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  server.answer(getPerson, person({ active: false }))
  await asked.getByRole('button', { name: 'Deactivate' }).click()

  await expect.element(page.getByText('Deactivated.')).toBeVisible()
  await expect.element(button('Reactivate')).toBeVisible()
})

test('PPL-08 ORG-44 the deactivation of someone on duty waits, and says so before and after', async () => {
  server.answer(getPerson, person({ on_duty_at: 'Quay' }))
  server.answer(deactivatePerson, { status: 'waits' })
  await open()
  await button('Deactivate').click()
  const asked = page.getByRole('alertdialog', { name: 'Deactivate Kim Lee?' })
  await expect.element(asked.getByText(/They are on duty at Quay/)).toBeVisible()
  await asked.getByRole('button', { name: 'Deactivate' }).click()

  await expect.element(page.getByText('On duty. This happens when they go off duty.')).toBeVisible()
})

test('PPL-10 ORG-17 AUTH-31 who cannot sign in, and whose sign-in others change: the reason stands in place of the button', async () => {
  await page.viewport(320, 800)
  const refusal = 'Kim Lee also has a role outside your reach. Ask an administrator of the whole organisation.'
  const no = { ...mayDo, refusal }
  server.answer(getPerson, person({ authority: someAuthority({ address: no, deactivate: no }) }))
  await open()

  await expect.element(page.getByText('Cannot sign in: no assignment, not an administrator.')).toBeVisible()
  await expect.element(field('Email')).toBeDisabled()
  expect(button('Deactivate').query()).toBeNull()
  await expect.element(page.getByText(refusal).first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await expectNoAxeViolations()
})

test('PPL-06 PPL-18 the groups of a person are changed by administrators of the organisation alone', async () => {
  const [dental, archive] = ['1', '2'].map((n) => `00000000-0000-4000-8000-00000000fc0${n}` as GroupUid) as [
    GroupUid,
    GroupUid,
  ]
  server.answer(listPeopleChoices, {
    sites: [quay],
    buildings: [tower],
    groups: [
      { uid: archive, name: 'Archive' },
      { uid: dental, name: 'Dental' },
    ],
  })
  server.answer(getPerson, person({ groups: [{ uid: dental, name: 'Dental' }] }))
  server.answer(changeMembers, { added: 0, removed: 1 })
  const screen = await open()
  await button('Remove from Dental').click()
  await expect.element(page.getByText('Saved.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Add to a group' }).selectOptions('Archive')
  await expect
    .poll(() => server.received(changeMembers).map(({ input: { params, body } }) => [params.uid, body]))
    .toEqual([
      [dental, { add: [], remove: [personRow(1).uid] }],
      [archive, { add: [personRow(1).uid], remove: [] }],
    ])
  await expectNoAxeViolations()
  await screen.unmount()

  serveConsole(server, someMe({ rights: ['people'], reach: { kind: 'site', name: 'Quay' } }))
  await open()
  await expect.element(page.getByText('Dental', { exact: true })).toBeVisible()
  expect(button('Remove from Dental').query()).toBeNull()
  expect(page.getByRole('combobox', { name: 'Add to a group' }).query()).toBeNull()
})

test('PPL-30 the plan stands without its text, for those with the mark alone', async () => {
  server.answer(getPerson, person({ plan: { review_on: '2026-01-31', is_overdue: true, has_consent: false } }))
  const screen = await open()
  for (const text of ['Review on 31 Jan 2026', 'Review overdue', 'Consent not recorded', 'Each view is recorded.'])
    await expect.element(page.getByText(text)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Open the plan' }))
    .toHaveAttribute('href', `/console/plans/${personRow(1).uid}`)
  await expectNoAxeViolations()
  await screen.unmount()

  serveConsole(server, someMe({ rights: ['people', 'organisation'], sees_plans: false }))
  await open()
  await expect.element(page.getByRole('heading', { name: 'History' })).toBeVisible()
  expect(page.getByRole('heading', { name: 'Plan' }).query()).toBeNull()
})

test('ORG-39 the history has what last happened, and leads to the audit log', async () => {
  const entry = { position: '1', at: '2026-11-22T23:42:07.000Z', subject: 'Kim Lee' }
  const changes = [{ field: 'fields', before: null, after: 'last_name, e-mail' }]
  server.answer(
    listAudit,
    listPage([
      { ...entry, who: 'Nora Lind', action: 'person_changed', changes },
      { ...entry, position: '0', who: null, action: 'person_added', changes: [] },
    ]),
  )
  await open()

  const changed = page.getByRole('listitem').filter({ hasText: 'Person changed: last name, e-mail' })
  await expect.element(changed.filter({ hasText: 'Nora Lind' })).toBeVisible()
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Operator' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'All in the audit log' }))
    .toHaveAttribute('href', `/console/audit?person=${personRow(1).uid}`)
  expect(server.received(listAudit)[0]?.input.query).toEqual({ person: personRow(1).uid })
})

test('AUTH-26 a new address warns that it ends the permission to see plans, and a holder may give it again', async () => {
  serveConsole(server, someMe({ rights: ['people', 'organisation', 'plans'], sees_plans: true }))
  server.answer(getPerson, person({ authority: someAuthority({ address: { ...mayDo, ends_plans: true } }) }))
  server.answer(changePerson, { version: 'v2' })
  await open()

  const warning = page.getByText("This ends Kim Lee's permission to see plans.")
  await expect.element(field('Email')).toBeVisible()
  expect(warning.query()).toBeNull()
  await field('Email').fill('new@a.test')
  await expect.element(warning).toBeVisible()
  await page.getByRole('checkbox', { name: 'Give it again' }).click()
  await expectNoAxeViolations()
  await button('Save').click()

  await expect
    .poll(() => server.received(changePerson).at(-1)?.input.body)
    .toMatchObject({ email: 'new@a.test', keep_plans_permission: true })
})
