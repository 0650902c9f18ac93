import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listAudit } from '#features/organisation/calls/audit.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, serveConsole, somePerson } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getPerson, listFloorChoices, type Person } from '../calls/people.ts'
import { invitePerson, sendPasswordLink, showInvitation, signOutPerson } from '../calls/sign-in-acts.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const { uid } = personRow(1)

async function open(acts: Person['sign_in']['acts'], over: Partial<Person> = {}) {
  const person = somePerson(over)
  server.answer(getPerson, { ...person, sign_in: { ...person.sign_in, acts } })
  return renderScreen(<Console />, { at: `/console/people/${uid}`, auth: null })
}

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listFloorChoices, [])
  server.answer(listAudit, listPage([]))
})

afterEach(() => page.viewport(390, 844))

test('PPL-12 an invitation is sent, and who has a password is told without a link', async () => {
  server.answer(invitePerson, { status: 'invited' })
  await open(['invite'])
  await expectNoAxeViolations()
  await button('Invite').click()
  await expect.element(page.getByText('1 invitation sent.')).toBeVisible()

  server.answer(invitePerson, { status: 'told' })
  await button('Invite').click()
  await expect.element(page.getByText('Told by email where to sign in. A password is already set.')).toBeVisible()
  expect(server.received(invitePerson)[0]?.input.params).toEqual({ uid })
})

test('PPL-12 why an invitation is refused stands below the buttons', async () => {
  server.answer(
    invitePerson,
    refused('invalid_transition', 'No assignment and not an administrator: nothing to invite this person to.'),
  )
  await open(['invite'])
  await button('Invite').click()

  await expect
    .element(
      page.getByRole('alert').getByText('No assignment and not an administrator: nothing to invite this person to.'),
    )
    .toBeVisible()
})

test.each([[1440], [320]])('PPL-13 the invitation is shown once, with its code, at %i px', async (width) => {
  await page.viewport(width, 900)
  const link = 'https://evac.test/console/invitation#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstu'
  server.answer(showInvitation, { link, what: 'Floor Warden', expires_at: '2026-11-29T23:42:00.000Z' })
  await open(['show_invitation'])
  await button('Show the invitation').click()

  const dialog = page.getByRole('dialog', { name: 'Hand over the invitation' })
  await expect.element(dialog.getByText(link)).toBeVisible()
  await expect.element(dialog.getByText('Harbour Property Group invites you as Floor Warden.')).toBeVisible()
  await expect.element(dialog.getByRole('img', { name: 'QR code of the invitation of Kim Lee' })).toBeVisible()
  await expect.element(dialog.getByText(/^Until 30 Nov 2026, 10:42 AEDT/)).toBeVisible()
  await expectNoAxeViolations()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  expect(document.querySelectorAll('.console-print > .console-sheet')).toHaveLength(1)
  await button('Done').click()
  expect(page.getByText(link).query()).toBeNull()
  expect(document.querySelector('.console-print')).toBeNull()
})

test('PPL-11 a link for a new password is sent, and signing out is asked about', async () => {
  server.answer(sendPasswordLink, { status: 'sent' })
  server.answer(signOutPerson, { status: 'signed_out' })
  await open(['password_link', 'sign_out'])
  await button('Send a link to set a new password').click()
  await expect.element(page.getByText('Sent. The link works for 30 minutes.')).toBeVisible()

  await button('Sign out everywhere').click()
  const asked = page.getByRole('alertdialog', { name: 'Sign out Kim Lee everywhere?' })
  await expect.element(asked.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  await asked.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.element(page.getByText('Signed out everywhere.')).toBeVisible()
  expect(server.received(signOutPerson)[0]?.input.body).toEqual({ take_off_duty: false })
})

test('PPL-11 ORG-45 who is on duty is taken off duty by name, and a refusal says why', async () => {
  const reason = 'Kim Lee is the only Event Manager on duty.'
  server.answer(signOutPerson, refused('on_duty', reason))
  await open(['sign_out'], { on_duty_at: 'Quay' })
  await button('Sign out everywhere').click()
  const asked = page.getByRole('alertdialog', { name: 'Take Kim Lee off duty?' })
  await expect
    .element(asked.getByText('They are on duty at Quay. Their phone will show that they are no longer authorised.'))
    .toBeVisible()
  await asked.getByRole('button', { name: 'Take off duty and sign out' }).click()

  await expect.element(asked.getByText(reason)).toBeVisible()
  expect(server.received(signOutPerson)[0]?.input.body).toEqual({ take_off_duty: true })
})
