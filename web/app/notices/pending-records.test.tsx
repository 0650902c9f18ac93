import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { outbox } from '../../outbox/outbox.ts'
import { RejectedRecords } from '../../outbox/rejected-records.tsx'
import { useOutbox } from '../../outbox/use-outbox.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { cutOff, type FakeServer, refused } from '../../testing/fake-server.ts'
import { personId, statusRecord } from '../../testing/outbox.ts'
import { plainScreens, renderApp } from '../../testing/render-app.tsx'
import { dismissToasts } from '../../testing/toasts.ts'
import { Page } from '../../ui/page.tsx'
import { screen } from '../screen.tsx'

const dialog = page.getByRole('alertdialog', { name: 'Go Off Duty?' })
const bar = (n: number) => page.getByRole('button', { name: new RegExp(`^${n} records? (was|were) not accepted`) })
const rejectedText = (text: RegExp) => dialog.getByText(text)
const signalReturns = () => window.dispatchEvent(new Event('online'))
const taken = (n: number) => ({
  status: 'success' as const,
  person: { id: personId(n), status: 'safe' as const, on_floor: true },
  superseded: false,
})

/** A warden who has noted Person 1 and Person 2, with the dialog of going off duty open. */
async function goOffDuty(given: (server: FakeServer) => void) {
  const app = await renderApp('/me/role', {
    given(server) {
      server.answer(logout, { status: 'logout_success', message: '' })
      given(server)
    },
  })
  for (const n of [1, 2]) await outbox.enqueue(statusRecord(n))
  return Object.assign(app, {
    async ask() {
      await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Go Off Duty' }).click()
      await expect.element(dialog).toBeVisible()
    },
  })
}
const unsent = (server: FakeServer) => server.answer(setPersonStatus, cutOff)

test('UI Logout once sent stays when a record is turned down, and says so', async () => {
  const { server, load, ask } = await goOffDuty(unsent)
  await ask()
  await dialog.getByRole('button', { name: 'Logout once sent' }).click()

  server.answer(setPersonStatus, ({ input: { body } }) =>
    body.personId === personId(1) ? taken(1) : refused('not_found'),
  )
  signalReturns()

  await expect.element(rejectedText(/^1 record was not accepted\. Press Cancel/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Logout once sent' })).not.toBeInTheDocument()
  expect([server.received(logout).length, load.mock.calls]).toEqual([0, []])
  await expectNoAxeViolations()

  dismissToasts()
  await dialog.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect.poll(() => load.mock.calls).toEqual([['/login']])
})

test('UI Logout once sent leaves when the rest is taken: the warden has read what was not', async () => {
  const { server, load, ask } = await goOffDuty(({ answer }) =>
    answer(setPersonStatus, ({ input: { body } }) => (body.personId === personId(1) ? refused('not_found') : cutOff)),
  )
  await expect.element(bar(1)).toBeVisible()
  dismissToasts()
  await ask()
  await expect.element(rejectedText(/^1 record was not accepted/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Logout once sent' }).click()
  server.answer(setPersonStatus, taken(2))
  signalReturns()

  await expect.poll(() => load.mock.calls).toEqual([['/login']])
})

test('UI on the smallest phone each way out is in reach at once, however much there is to read', async () => {
  await page.viewport(320, 640)
  onTestFinished(() => page.viewport(390, 844))
  const { ask } = await goOffDuty(({ answer }) =>
    answer(setPersonStatus, ({ input: { body } }) => (body.personId === personId(1) ? refused('not_found') : cutOff)),
  )
  await expect.element(bar(1)).toBeVisible()
  dismissToasts()
  await ask()
  await expect.element(rejectedText(/^1 record was not accepted/)).toBeVisible()

  for (const name of ['Logout once sent', 'Logout', 'Cancel']) {
    const button = dialog.getByRole('button', { name, exact: true }).element()
    const { left, top, width, height } = button.getBoundingClientRect()
    for (const part of [0.1, 0.5, 0.9])
      expect(document.elementFromPoint(left + width / 2, top + height * part)?.closest('button'), name).toBe(button)
  }
  await expectNoAxeViolations()
})

test('UI going off duty tells of what was turned down before, and Cancel leads back to it', async () => {
  const { ask } = await goOffDuty((server) => server.answer(setPersonStatus, refused('not_found')))
  await expect.element(bar(2)).toBeVisible()
  dismissToasts()
  await ask()

  await expect.element(rejectedText(/^2 records were not accepted\. Press Cancel/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Close' }).click()
  await bar(2).click()
  await expect.element(page.getByRole('dialog').getByText('Person 2')).toBeVisible()
})

test('UI what was not taken stays in sight, and the foot of the page can be scrolled clear of it', async () => {
  const longPage = screen(async () => () => (
    <Page>
      <div style={{ height: 3000 }} />
      <button type="button">Send</button>
    </Page>
  ))
  await renderApp('/message/group', {
    screens: { ...plainScreens(), '/message/group': longPage },
    given: (server) => server.answer(setPersonStatus, refused('not_found')),
  })
  await outbox.enqueue(statusRecord(1))
  await expect.element(bar(1)).toBeInViewport()
  dismissToasts()

  window.scrollTo(0, document.documentElement.scrollHeight)

  await expect.element(bar(1)).toBeInViewport()
  await page.getByRole('button', { name: 'Send' }).click({ timeout: 1000 })
})

test('UI what was not taken is said once, not again on each page', async () => {
  const FloorPage = () => <RejectedRecords records={useOutbox().rejected} />
  const { go } = await renderApp('/floor/evacuation', {
    screens: { ...plainScreens(), '/floor/evacuation': screen(async () => FloorPage) },
    given: (server) => server.answer(setPersonStatus, refused('not_found')),
  })
  await outbox.enqueue(statusRecord(1))
  const toast = page.getByText('Person 1: This is no longer available. Please refresh.')
  await expect.element(toast).toBeVisible()
  dismissToasts()

  for (const path of ['/me/role', '/floor/evacuation']) {
    go(path)
    await expect.element(bar(1)).toBeVisible()
    // what is said comes after what is drawn
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(toast.elements()).toEqual([])
  }
})
