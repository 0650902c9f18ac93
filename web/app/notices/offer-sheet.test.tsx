import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerOffer } from '#features/coverage/calls/coverage.ts'
import { type Brief, getBrief } from '#features/events/calls/brief.ts'
import type { BuildingUid, FloorOfferUid, FloorUid } from '#kernel/ids.ts'
import { tellNews } from '../../live/feed-news.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { serverForEachTest } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { someSignIn as own } from '../../testing/stored-auth.ts'
import { EventSheets } from './event-sheets.tsx'

const server = serverForEachTest()

const uid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const tower = { id: uid(1) as BuildingUid, name: 'Tower A' }
const level11 = { id: uid(111) as FloorUid, name: 'Level 11', building: tower, whole_building: false }
const nothing: Brief = { command: null, instruction: null, offer: null, claims: [], gaps: null }
const offer = { id: uid(9) as FloorOfferUid, place: level11, taken_by: null }
const claim = { ...level11, since: new Date().toISOString(), own_warden: null }
const button = (name: string) => page.getByRole('button', { name })
const sheet = () => page.getByRole('alertdialog', { name: 'Can you take Level 11, Tower A?' })

test('COV-08 COV-12 an offer rises over the page, waits for the finger that is down, and is answered by one tap', async () => {
  server.answer(getBrief, nothing)
  await renderScreen(<EventSheets />, { at: '/floor/evacuation' })
  await expect.poll(() => server.received(getBrief).length).toBeGreaterThan(0)
  document.dispatchEvent(new PointerEvent('pointerdown'))
  server.answer(getBrief, { ...nothing, offer })
  tellNews([{ topic: 'coverage', ids: [own] }])
  await expect.poll(() => server.received(getBrief).length).toBeGreaterThan(1)
  await expect.element(sheet()).not.toBeInTheDocument()

  document.dispatchEvent(new PointerEvent('pointerup'))
  await expect.element(sheet()).toBeVisible()
  await expect.element(page.getByText('It has no warden.')).toBeVisible()
  expect(document.activeElement?.textContent).toBe('I will take it')
  await expectNoAxeViolations()
  server.answer(answerOffer, { offer: { id: offer.id, answer: 'yes' } })
  server.answer(getBrief, { ...nothing, claims: [claim] })
  await button('I will take it').click()

  await expect.element(sheet()).not.toBeInTheDocument()
  expect(server.received(answerOffer)[0]?.input.body).toEqual({ offer: offer.id, take: 'yes' })
})

test('COV-12 who is too late reads who took the floor, and the sheet goes by itself', async () => {
  server.answer(getBrief, { ...nothing, offer })
  await renderScreen(<EventSheets />, { at: '/floor/evacuation' })
  await expect.element(sheet()).toBeVisible()
  server.answer(getBrief, { ...nothing, offer: { ...offer, taken_by: 'Kim Lee' } })
  tellNews([{ topic: 'coverage', ids: [own] }])

  await expect.element(page.getByText('Taken by Kim Lee. Thank you.')).toBeVisible()
  await expect.element(sheet(), { timeout: 5000 }).not.toBeInTheDocument()
})

test('COV-12 an offer that was taken before it was seen is not shown; no sheet rises on a page with its own bar', async () => {
  server.answer(getBrief, { ...nothing, offer: { ...offer, taken_by: 'Kim Lee' } })
  await renderScreen(<EventSheets />, { at: '/floor/evacuation' })
  await expect.poll(() => server.received(getBrief).length).toBeGreaterThan(0)
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  history.replaceState(null, '', '/reportinlist')
  server.answer(getBrief, { ...nothing, offer })
  tellNews([{ topic: 'coverage', ids: [own] }])
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
})
