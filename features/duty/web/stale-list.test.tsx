import { onlineManager } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { rejoin } from '#features/sign-in/calls/sign-in.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { buttons, reportInCard } from '#web/testing/report-in-cards.ts'
import { authReply } from '#web/testing/stored-auth.ts'
import { listReportInCards, markNotAvailable } from '../calls/report-in.ts'
import { idle, listServer, press } from './list.fixture.tsx'

const server = listServer()

test('LIST-31 LIST-39 the list is read before the action; other card tokens do not count as a change', async () => {
  await server.show(reportInCard('offDuty'))
  server.answer(listReportInCards, [reportInCard('offDuty', { oauth_token: 'fresh-token' })])

  await press('Rejoin Event')

  await expect.poll(() => server.steps).toEqual(['rejoin', 'on duty', 'load /me/role'])
  expect(server.reads()).toBe(2)
  expect(server.received(rejoin)[0]?.input.body).toEqual({ oauth_token: 'fresh-token' })
})

const everyButton = [
  ['offDuty', 'Rejoin Event'],
  ['offDuty', 'Not Available'],
  ['offDuty', 'Event Management'],
  ['unknown', 'Report In - Available'],
  ['offered', 'Review to Accept / Decline'],
  ['current', 'Withdraw'],
  ['current', 'Documents'],
  ['currentManager', 'Start Event'],
] as const
test.each(everyButton)('LIST-32 card %s: %s is abandoned when the list has changed', async (state, label) => {
  const screen = await server.show(reportInCard(state))
  server.answer(listReportInCards, [reportInCard('upcoming', { Footer: 'Something else now.' })])

  await press(label)

  await expect.element(page.getByText('Something else now.')).toBeVisible()
  await idle()
  expect([screen.address(), server.steps, server.received(markNotAvailable)]).toEqual(['/reportinlist', [], []])
  expect(getAuth()?.reportInDetails).toBeNull()
})

test('ERR-06 LIST-31 when the list cannot be read again the action is abandoned and the loader stops', async () => {
  await server.show(reportInCard('offDuty'))
  server.answer(listReportInCards, cutOff)

  await press('Rejoin Event')

  await expect.poll(server.reads).toBeGreaterThan(1)
  await idle()
  expect(server.steps).toEqual([])
  await expect.element(page.getByText('You are off duty. Rejoin if you are available to assist.')).toBeVisible()
  // The screen still tells the truth about its age.
  await expect.element(page.getByText(/^Not up to date, as of/)).toBeVisible()
})

test('LIST-31 without signal an action is abandoned at once, and does not wait to run later', async () => {
  await server.show(reportInCard('offDuty'))
  server.answer(listReportInCards, cutOff)
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))

  await press('Rejoin Event')

  await expect.poll(server.reads).toBeGreaterThan(1)
  await idle()
  expect(server.steps).toEqual([])
})

test('LIST-38 a rejoin that fails is abandoned silently', async () => {
  server.answer(rejoin, refused('unauthorized_access'))
  const screen = await server.show(reportInCard('unknown'))

  await press('Report In - Available')

  await expect.poll(() => server.received(rejoin)).toHaveLength(1)
  await idle()
  expect([screen.address(), getAuth()?.access_token]).toEqual(['/reportinlist', 'Bearer token-1'])
  expect(page.getByRole('alertdialog').query()).toBeNull()
})

test('UI a second press while one action runs does nothing, and the spinner stays until the page has left', async () => {
  await server.show(reportInCard('offDuty'))
  const rejoinButton = page.getByRole('button', { name: 'Rejoin Event' })

  await userEvent.dblClick(rejoinButton)
  await press('Not Available')

  await expect.poll(() => server.steps).toEqual(['rejoin', 'on duty', 'load /me/role'])
  await expect.element(rejoinButton).toHaveAttribute('aria-busy', 'true')
  expect(server.received(markNotAvailable)).toHaveLength(0)

  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await idle()
})

test('LIST-18 a key that is not known does nothing', async () => {
  await server.show(reportInCard('unknown', buttons(['Evacuate Moon', 'Evacuate Moon', 'Blue', ''])))

  await press('Evacuate Moon')

  expect(server.reads()).toBe(1)
})

test('AMB-040 no read of its own runs while an action replaces the access token', async () => {
  const answered = Promise.withResolvers<void>()
  server.answer(rejoin, () => answered.promise.then(() => authReply({ access_token: 'token-2' })))
  const screen = await server.show(reportInCard('unknown'))
  await press('Report In - Available')
  await expect.poll(() => server.received(rejoin)).toHaveLength(1)

  window.dispatchEvent(new Event('visibilitychange'))

  answered.resolve()

  await expect.poll(screen.address).toBe('/reportin')
  expect(getAuth()?.access_token).toBe('Bearer token-2')
  const withOldToken = server
    .received(listReportInCards)
    .filter(({ headers }) => headers.get('authorization') === 'Bearer token-1')
  expect(withOldToken).toHaveLength(2)
})
