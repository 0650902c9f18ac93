import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { readSignInOrigins } from '#features/authority/calls.ts'
import { invitePerson, showInvitation } from '#features/people/calls/sign-in-acts.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { administrator, givenConsole, quay, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  appointAdministrator,
  listAdministrators,
  listCandidates,
  resetSecondFactor,
  revokeAdministrator,
} from '../calls/administrators.ts'

const server = serverForEachTest()
const kim = {
  uid: '00000000-0000-4000-8000-00000000f901' as PersonUid,
  first_name: 'Kim',
  last_name: 'Lee',
  email: 'kim@harbour.test',
}
const open = () => renderScreen(<Console />, { at: '/console/administrators', auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog', { name: 'Add an administrator' })

beforeEach(() => {
  givenConsole('a token')
  serveConsole(server)
  server.answer(listCandidates, [kim])
})

afterEach(() => page.viewport(390, 844))

test.each([[1440], [390]])(
  'ORG-11 ORG-36 who administers, how far, and with which second factor, at %i px',
  async (width) => {
    await page.viewport(width, 900)
    server.answer(listAdministrators, {
      rows: [
        administrator(1, { is_own: true, last_sign_in: '2026-11-22T23:42:07.000Z' }),
        administrator(2, {
          reach: { kind: 'site', name: 'Harbour Quarter' },
          state: 'no_second_factor',
          sees_plans: true,
        }),
        administrator(3, { state: 'invited' }),
      ],
      sites: [quay],
      groups: [],
      sends_mail: true,
    })
    await open()

    await expect.element(page.getByText(/Site: Harbour Quarter/)).toBeVisible()
    await expect.element(page.getByText(/invited, no password yet/i)).toBeVisible()
    if (width === 1440) await expect.element(page.getByText('23 Nov 2026, 10:42 AEDT')).toBeVisible()
    expect(page.getByRole('button', { name: 'Reset second factor' }).elements()).toHaveLength(0)
    await expectNoAxeViolations()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  },
)

test('AUTH-26 AUTH-29 where no one may see plans the page says whom to ask; who has no second factor is sent a link', async () => {
  server.answer(listAdministrators, {
    rows: [administrator(1, { is_own: true }), administrator(2, { state: 'no_second_factor' })],
    sites: [quay],
    groups: [],
    sends_mail: true,
  })
  await open()

  await expect.element(page.getByText('No one has permission to see plans. Ask the operator.')).toBeVisible()
  await expect.element(button('Invite again')).toBeVisible()
  await expectNoAxeViolations()
})

test('ORG-11 a member of staff is searched for and appointed for a site', async () => {
  server.answer(appointAdministrator, { uid: administrator(9).uid, invitation_link: null })
  await open()
  await button('Add an administrator').click()
  await expectNoAxeViolations()

  await dialog.getByRole('searchbox', { name: 'Person' }).fill('ki')
  await dialog.getByRole('button', { name: 'Kim Lee kim@harbour.test' }).click()
  await dialog.getByRole('combobox', { name: 'Reach' }).selectOptions('One site')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect.element(dialog.getByText('Choose the site.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Site' }).selectOptions('Harbour Quarter')
  await dialog.getByRole('button', { name: 'Add' }).click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  expect(server.received(appointAdministrator)[0]?.input.body).toEqual({
    person: kim.uid,
    reach: 'site',
    site: quay.uid,
    sees_plans: false,
  })
})

test.each([[1440], [390]])(
  'AUTH-30 the dialog says who entered the address and how the password was set, at %i px',
  async (width) => {
    await page.viewport(width, 900)
    const addresses = [
      { by: 'Mal Lory', at: '2026-11-22T23:42:07.000Z' },
      { by: 'Mal Lory', at: '2026-11-23T01:00:00.000Z' },
      { by: 'Nora Lind', at: '2026-11-24T01:00:00.000Z' },
    ]
    const password_merged = { by: 'Sly Site', at: '2026-11-23T23:42:07.000Z' }
    server.answer(readSignInOrigins, [
      { person: kim.uid, name: 'Kim Lee', addresses, password_was_shown: true, password_merged },
    ])
    await open()
    await button('Add an administrator').click()
    await dialog.getByRole('searchbox', { name: 'Person' }).fill('ki')
    await dialog.getByRole('button', { name: 'Kim Lee kim@harbour.test' }).click()

    await expect
      .element(dialog.getByRole('list', { name: 'Where the sign-in comes from' }))
      .toHaveTextContent(
        'Address entered by Mal Lory on 23 Nov 2026. Address entered by Nora Lind on 24 Nov 2026. Password set from a shown invitation. Password came by a merge by Sly Site on 24 Nov 2026.',
      )
    expect(server.received(readSignInOrigins)[0]?.input.body).toEqual({ people: [kim.uid] })
    await expectNoAxeViolations()
  },
)

test('ORG-11 where no mail is sent the link is shown once', async () => {
  const link = 'https://evac.test/console/invitation#token=abc'
  server.answer(appointAdministrator, { uid: administrator(9).uid, invitation_link: link })
  await open()
  await button('Add an administrator').click()
  await dialog.getByRole('searchbox', { name: 'Person' }).fill('ki')
  await dialog.getByRole('button', { name: 'Kim Lee kim@harbour.test' }).click()
  await dialog.getByRole('checkbox').click()
  await dialog.getByRole('button', { name: 'Add' }).click()

  await expect.element(page.getByText(link)).toBeVisible()
  await expectNoAxeViolations()
  await button('Done').click()
  await button('Add an administrator').click()
  expect(page.getByText(link).query()).toBeNull()
  expect(server.received(appointAdministrator)[0]?.input.body.sees_plans).toBe(true)
})

test('ORG-11 who has no Plans permission gives none', async () => {
  serveConsole(server, someMe({ sees_plans: false }))
  await open()
  await button('Add an administrator').click()

  await expect.element(dialog).toBeVisible()
  expect(dialog.getByRole('checkbox').query()).toBeNull()
})

test('ORG-12 the last administrator is told why, with Cancel in focus', async () => {
  server.answer(revokeAdministrator, refused('last_administrator'))
  await open()
  await button('Revoke').first().click()
  const asked = page.getByRole('alertdialog', { name: 'Give up your own access?' })
  await expect.element(asked.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await asked.getByRole('button', { name: 'Revoke' }).click()

  await expect
    .element(asked.getByText('At least one administrator must remain. Appoint another one first.'))
    .toBeVisible()
  await expectNoAxeViolations()
  await userEvent.keyboard('{Escape}')
  await expect.element(asked).not.toBeInTheDocument()
})

test('ORG-25 a second factor is reset after a question', async () => {
  server.answer(resetSecondFactor, { status: 'reset' })
  await open()
  await button('Reset second factor').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factor' }).click()

  await expect.element(page.getByText('Second factor reset.')).toBeVisible()
  expect(server.received(resetSecondFactor)[0]?.input.params).toEqual({ uid: administrator(2).uid })
})

const oneInvited = (sends_mail: boolean) =>
  server.answer(listAdministrators, {
    rows: [administrator(1, { is_own: true }), administrator(3, { state: 'invited' })],
    sites: [],
    groups: [],
    sends_mail,
  })

test('PPL-12 ORG-11 who has no password yet is invited again by mail', async () => {
  oneInvited(true)
  server.answer(invitePerson, { status: 'invited' })
  await open()
  await button('Invite again').click()

  await expect.element(page.getByText('1 invitation sent.')).toBeVisible()
  expect(server.received(invitePerson)[0]?.input.params).toEqual({ uid: administrator(3).person.uid })
})

test('PPL-13 ORG-11 where no mail is sent a new link is shown once', async () => {
  oneInvited(false)
  const link = 'https://evac.test/console/invitation#token=again'
  server.answer(showInvitation, { link, what: 'administrator', expires_at: '2026-11-29T23:42:00.000Z' })
  await open()
  await button('Invite again').click()

  await expect.element(page.getByRole('dialog', { name: 'Hand over the invitation' }).getByText(link)).toBeVisible()
  await expectNoAxeViolations()
  await button('Done').click()
  expect(page.getByText(link).query()).toBeNull()
})
