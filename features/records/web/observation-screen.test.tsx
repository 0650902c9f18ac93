import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EventUid, PlaceUid } from '#kernel/ids.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { addToRecord } from '../calls/additions.ts'
import {
  endObserverLink,
  getNoting,
  getObserved,
  listObserved,
  listObservers,
  makeObserverLink,
} from '../calls/observing.ts'
import { checklist } from '../words.ts'
import { ObservationScreen } from './observation-screen.tsx'
import { ObserveScreen } from './observe-screen.tsx'
import { ObserversScreen } from './observers-screen.tsx'
import { added, someEvent } from './records.fixture.tsx'

const server = serverForEachTest()
const event = someEvent as EventUid
const place = '00000000-0000-4000-8000-000000000077' as PlaceUid
const span = { started_at: '2026-11-05T23:00:00.000Z', ended_at: null, timezone: 'Australia/Sydney' }
const noting = {
  site: 'Harbour Quarter',
  kind: 'drill' as const,
  ...span,
  checklist: [...checklist],
  places: [{ id: place, name: 'Tower A' }],
  notes: [],
}
const observation = added(1, 'observation', { tone: 'Went well', text: 'The lobby was empty.' })

test('AAR-28 an observation without a place waits on the phone until it has arrived', async () => {
  server.answer(listObserved, {
    events: [{ event, type: 'Fire drill', kind: 'drill', site: 'Harbour Quarter', ...span }],
  })
  server.answer(getNoting, noting)
  server.answer(addToRecord, cutOff)
  await renderScreen(<ObservationScreen />, { at: '/event/observation' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Write what you saw.')).toBeVisible()
  await page.getByText('Went well').click()
  await page.getByLabelText('What you saw').fill('The lobby was empty.')
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.element(page.getByText(/\(waiting\)/)).toBeVisible()
  await expectNoAxeViolations()
  server.answer(addToRecord, { entry: observation })
  window.dispatchEvent(new Event('online'))

  await expect.element(page.getByText(/\(waiting\)/)).not.toBeInTheDocument()
  await expect.element(page.getByText('The lobby was empty.')).toBeVisible()
  expect(server.received(addToRecord).at(-1)?.input).toMatchObject({
    params: { eventUid: event },
    body: { kind: 'observation', body: { tone: 'Went well', text: 'The lobby was empty.' } },
  })
})

test('AAR-30 an ended link says so and shows nothing else', async () => {
  server.answer(getObserved, refused('link_ended', 'This link no longer works.'))
  history.replaceState(null, '', '/observe#a-token-that-has-ended')
  await renderScreen(<ObserveScreen />, { at: '/observe#a-token-that-has-ended' })

  await expect.element(page.getByText('This link no longer works.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Save' })).not.toBeInTheDocument()
})

test('AAR-30 a link is shown as text and QR code this once, and is ended', async () => {
  const observer = { uid: added(9, 'fact', {}).uid, name: 'Kim Observer', until: null, ended: false, notes: 2 }
  server.answer(listObservers, { observers: [observer] })
  server.answer(makeObserverLink, { observer, link: 'https://evac.test/observe#the-token' })
  server.answer(endObserverLink, { observer: { ...observer, ended: true } })
  await renderScreen(<ObserversScreen />, { at: `/event/records/${event}/observers` })
  await page.getByLabelText('Name of the observer').fill('Kim Observer')
  await userEvent.keyboard('{Enter}')

  await expect.element(page.getByRole('img', { name: 'QR code of the link for Kim Observer' })).toBeVisible()
  await expect.element(page.getByLabelText('Link', { exact: true })).toHaveValue('https://evac.test/observe#the-token')
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'End link of Kim Observer' }).click()

  await expect.element(page.getByLabelText('Link', { exact: true })).not.toBeInTheDocument()
  expect(server.received(endObserverLink)[0]?.input).toMatchObject({ params: { eventUid: event, uid: observer.uid } })
})
