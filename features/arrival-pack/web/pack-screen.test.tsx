import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { endHazard, endPack, listHazards, listPacks, makePack, noteHazard } from '../calls.ts'
import type { Hazards, Packs } from './arrival-pack.data.ts'
import { PackScreen } from './pack-screen.tsx'

const server = serverForEachTest()
const uid = 'a0000000-0000-4000-8000-000000000001'
const floor = 'f0000000-0000-4000-8000-000000000001'
const at = '2026-11-25T00:14:00.000Z'
const pack = { uid, by: 'Ada Zuse', made_at: at, ends_at: '2099-11-25T04:14:00.000Z', ended: false, plans: true }
const reader = {
  pack: uid,
  kind: 'own' as const,
  name: 'Kim, Engine 4',
  network: '203.0.113.0/24',
  browser: 'Safari, iPhone',
  times: 2,
}
const others = { ...reader, kind: 'others' as const, name: '', network: '', browser: '', times: 7 }
const hazard = {
  uid: floor,
  text: 'Gas cylinders',
  place: { id: floor, name: 'Tower A, Level 1' },
  by: 'Ada Zuse',
  at,
  in_drill: false,
}
const url = 'https://evac.test/p/kP3vJ0aXz9LqR5tYw2bNcd'
const open = () => renderScreen(<PackScreen />, { at: '/event/pack' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

let packs: Packs = { packs: [], readers: [] }
let hazards: Hazards = { hazards: [], places: [] }
beforeEach(() => {
  packs = { packs: [], readers: [] }
  hazards = { hazards: [], places: [{ id: floor, name: 'Tower A, Level 1' }] }
  server.answer(listPacks, () => packs)
  server.answer(listHazards, () => hazards)
})

test('PACK-01 PACK-11 a pack is made, shown as a QR code of 280 px or more with its address, and ended', async () => {
  server.answer(makePack, () => {
    packs = { packs: [pack], readers: [reader, others].map((one) => ({ ...one, first_at: at, last_at: at })) }
    return { url, uid, ends: pack.ends_at }
  })
  server.answer(endPack, () => ({ ...packs, packs: [{ ...pack, ended: true }] }))
  await open()
  await page.getByRole('combobox', { name: 'Available for' }).selectOptions('2 hours')
  await button('Arrival pack').click()

  const qr = page.getByRole('img', { name: 'QR code of the arrival pack' })
  await expect.element(qr).toBeVisible()
  expect(qr.element().getBoundingClientRect().width).toBeGreaterThanOrEqual(280)
  await expect.element(page.getByText(url)).toBeVisible()
  await expect.element(page.getByText('Kim, Engine 4')).toBeVisible()
  await expect.element(page.getByText(/2 times$/)).toBeVisible()
  await expect.element(page.getByText('Further readers, without a name')).toBeVisible()
  expect(server.received(makePack).map(({ input }) => input.body)).toEqual([{ hours: 2, plans: 'yes' }])
  await expectNoAxeViolations()

  await button('End').click()
  await expect.element(qr).not.toBeInTheDocument()
  await expect.element(page.getByText('Ended.')).toBeVisible()
})

test('PACK-01 the address stays with the phone that made it; an eleventh pack says what to do', async () => {
  packs = { packs: [pack], readers: [] }
  server.answer(makePack, () => refused('too_many_links'))
  await open()
  await expect.element(page.getByText(/^Only the phone that made it shows the address/)).toBeVisible()
  expect(button('Print').query()).toBeNull()
  await expect.element(page.getByText('No one has opened it yet.')).toBeVisible()
  await expectNoAxeViolations()

  await button('Arrival pack').click()
  await expect.element(page.getByText('End a link first.')).toBeVisible()
})

test('PACK-12 a hazard is noted at a place, and is over; what was typed stays if it was not saved', async () => {
  let isAway = true
  server.answer(noteHazard, () => (isAway ? refused('unavailable') : { ...hazards, hazards: [hazard] }))
  server.answer(endHazard, () => hazards)
  await open()
  const words = page.getByRole('textbox', { name: 'Hazard' })
  await expect.element(words).toHaveAttribute('placeholder', 'Gas cylinders, blocked stair, flooding')
  await page.getByRole('combobox', { name: 'Place' }).selectOptions('Tower A, Level 1')
  await words.fill('Gas cylinders')
  await button('Note the hazard').click()
  await expect.element(page.getByText('Not saved. Try again.')).toBeVisible()
  await expect.element(words).toHaveValue('Gas cylinders')

  isAway = false
  await button('Note the hazard').click()
  await expect.element(page.getByText(/^Ada Zuse, /)).toBeVisible()
  await expectNoAxeViolations()
  expect(server.received(noteHazard).at(-1)?.input.body).toEqual({ text: 'Gas cylinders', place: floor })

  await button('Over: Gas cylinders').click()
  await expect.element(page.getByText('No hazards recorded.')).toBeVisible()
})

test('KIND-18 a hazard of the drill asks whether it goes on: then it is noted anew, and the old one is over', async () => {
  const ofDrill = { ...hazard, uid, in_drill: true }
  hazards = { ...hazards, hazards: [ofDrill] }
  server.answer(noteHazard, () => {
    hazards = { ...hazards, hazards: [hazard, ofDrill] }
    return hazards
  })
  server.answer(endHazard, () => {
    hazards = { ...hazards, hazards: [hazard] }
    return hazards
  })
  await open()

  await expect.element(page.getByText('Noted in the drill. Does it go on?')).toBeVisible()
  await expectNoAxeViolations()
  await button('It goes on: Gas cylinders').click()

  await expect.element(page.getByText('Noted in the drill. Does it go on?')).not.toBeInTheDocument()
  expect(server.received(noteHazard)[0]?.input.body).toEqual({ text: 'Gas cylinders', place: floor })
  expect(server.received(endHazard)[0]?.input.params).toEqual({ uid })
})
