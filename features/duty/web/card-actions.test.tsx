import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { rejoin } from '#features/sign-in/calls/sign-in.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { otherCard, reportInCard } from '#web/testing/report-in-cards.ts'
import { someAssignment, somePerson, someSignIn } from '#web/testing/stored-auth.ts'
import { listReportInCards, markNotAvailable, markOnDuty } from '../calls/report-in.ts'
import { idle, listServer, press } from './list.fixture.tsx'

const server = listServer()

test('LIST-20 LIST-30 ROUTE-32 rejoin signs in again, marks on duty, then loads /me/role, in that order', async () => {
  await server.show(reportInCard('offDuty'))

  await press('Rejoin Event')

  await expect.poll(() => server.steps).toEqual(['rejoin', 'on duty', 'load /me/role'])
  expect(server.received(rejoin)[0]?.input.body).toEqual({ oauth_token: 'card-token-1' })
  const marked = server.received(markOnDuty)[0]
  expect(marked?.input.body).toEqual({ Warden_Sign_In_UID: someSignIn })
  expect(marked?.headers.get('authorization')).toBe('Bearer token-2')
  expect(getAuth()).toMatchObject({ access_token: 'Bearer token-2', on_duty: true, signInMethod: 'Email' })
  expect(getAuth()?.event).toEqual({ status: true, goToReportInListPage: false })
})

test('LIST-20 without a card token it rejoins by person', async () => {
  await server.show(reportInCard('onDuty', { oauth_token: '' }))

  await press('Rejoin Event')

  await expect.poll(() => server.steps).toEqual(['rejoin', 'on duty', 'load /me/role'])
  expect(server.received(rejoin)[0]?.input.body).toEqual({ person_uid: somePerson })
})

test('LIST-30 not being let on duty shows why, and the warden stays on the list', async () => {
  server.answer(markOnDuty, { error: 'assignment_not_current', message: 'Your assignment is not current.' })
  await server.show(reportInCard('offDuty'))

  await press('Rejoin Event')

  await expect.element(page.getByRole('alertdialog', { name: 'assignment not current' })).toBeVisible()
  await expect.element(page.getByText('Your assignment is not current.')).toBeVisible()
  await expectNoAxeViolations()
  await press('Ok')
  expect(server.steps).toEqual(['rejoin'])
  expect(getAuth()?.on_duty).toBe(false)
})

test('LIST-19 LIST-38 report in rejoins with the card token, then opens /reportin without marking on duty', async () => {
  const screen = await server.show(reportInCard('unknown'), reportInCard('current', otherCard))

  await page.getByRole('button', { name: 'Report In - Available' }).first().click()

  await expect.poll(screen.address).toBe('/reportin')
  expect(server.steps).toEqual(['rejoin'])
  expect(getAuth()?.module_access.Module_Event_Management).toBe(true)
})

test.each([
  ['LIST-24', 'onDuty', 'Event Management'],
  ['LIST-25', 'currentManager', 'Start Event'],
] as const)('%s LIST-38 ROUTE-33 card %s: %s rejoins, then loads /event/management', async (_, state, label) => {
  await server.show(reportInCard(state))

  await press(label)

  await expect.poll(() => server.steps).toEqual(['rejoin', 'load /event/management'])
})

test.each([
  ['LIST-22', 'offered', 'Review to Accept / Decline', 'warden-assignment'],
  ['LIST-23', 'current', 'Withdraw', 'withdraw'],
  ['LIST-26', 'upcoming', 'Documents', 'documents'],
] as const)('%s SESSION-07 card %s: %s opens its page with the details of the card', async (_, state, label, path) => {
  const screen = await server.show(reportInCard(state))

  await press(label)

  await expect.poll(screen.address).toBe(`/${path}/${someAssignment}`)
  expect(getAuth()?.reportInDetails).toEqual({
    clientSite: 'Harbour Property Group - Harbour Quarter',
    role: 'Floor Warden',
    area: 'Tower A - Level 3',
    dateFrom: '2026-01-01',
    dateTo: '2026-09-05',
  })
  expect(getAuth()?.reportInDetailsOf).toBe(someAssignment)
  expect(server.steps).toEqual([])
})

test('LIST-21 LIST-33 not available is reported for the card, warned about, and the list is read again', async () => {
  const screen = await server.show(reportInCard('unknown'))

  await press('Not Available')

  const alert = page.getByRole('alertdialog', { name: 'Warning' })
  await expect.element(alert).toBeVisible()
  const text = 'You have been reported as not available. You may sign in later if you are available to assist.'
  await expect.element(alert.getByText(text, { exact: true })).toBeVisible()
  await expectNoAxeViolations()
  server.answer(listReportInCards, [reportInCard('notAvailable')])
  await press('OK')

  await expect.element(page.getByText('You reported not available. You can still report in.')).toBeVisible()
  expect(server.received(markNotAvailable).map(({ input }) => input.body)).toEqual([{ Warden_Sign_In_UID: someSignIn }])
  expect(screen.address()).toBe('/reportinlist')
})

test('LIST-21 a refusal shows its code without underscores and its message (AMB-059)', async () => {
  server.answer(markNotAvailable, { error: 'already_on_duty', message: 'You are on duty.' })
  await server.show(reportInCard('unknown'))

  await press('Not Available')

  await expect.element(page.getByRole('alertdialog', { name: 'already on duty' })).toBeVisible()
  await expect.element(page.getByText('You are on duty.', { exact: true })).toBeVisible()
})

test.each([
  ['LIST-21', 'unknown', 'Not Available', []],
  ['LIST-30', 'offDuty', 'Rejoin Event', ['rejoin']],
] as const)(
  '%s a card %s without a sign-in: %s sends nothing about it, and no one is told that it was recorded',
  async (_, state, label, steps) => {
    await server.show(reportInCard(state, { Warden_Sign_In_UID: null, WardenSignInUID: null }))

    await press(label)
    await idle()

    expect([page.getByRole('alertdialog').query(), server.steps]).toEqual([null, steps])
  },
)
