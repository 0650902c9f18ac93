import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff } from '#web/testing/fake-server.ts'
import { level3, occupant, occupants } from '#web/testing/floor-data.ts'
import { drawAs } from '#web/testing/media.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import { listOccupants, searchOccupants } from '../calls/evacuation.ts'
import { floorOnScreen } from './floor.fixture.tsx'
import { FloorEvacuationScreen } from './floor-evacuation-screen.tsx'

const { server, open, serve } = floorOnScreen()
const list = () => page.getByRole('list', { name: 'All Occupants' })
const names = () => [...list().element().querySelectorAll('h3')].map(({ textContent }) => textContent)
const search = () => page.getByRole('searchbox', { name: 'Search Occupants' })

test('FLOOR-05 FLOOR-17 FLOOR-40 the occupants of the floor are listed with place and status, and counted', async () => {
  await open([...occupants(2), occupant(3, { location: 'Tower A - Level 4' })])
  const heading = page.getByRole('button', { name: /All Occupants/ })
  await expect.element(heading).toHaveTextContent('All Occupants3')
  expect(names()).toEqual(['Person 01', 'Person 02', 'Person 03'])
  await expect.element(list().getByText('Tower A - Level 4')).toBeVisible()

  await heading.click()
  await expect.element(list()).not.toBeInTheDocument()
})

test('FLOOR-13 FLOOR-19 each card has a status button and a telephone link', async () => {
  await open([occupant(1), occupant(2, { phone: null })])
  await expect.element(page.getByRole('button', { name: 'Person 01: Unknown' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Call Person 01' })).toHaveAttribute('href', 'tel:+61491000001')
  await expect.element(page.getByRole('button', { name: 'No phone number for Person 02' })).toBeDisabled()
  for (const target of list().element().querySelectorAll('button, a')) {
    const { width, height } = target.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(48)
  }
})

test('UX-81 on paper anyone in danger keeps the word and the edge', async () => {
  await open([occupant(1, { status: 'danger', on_floor: true }), occupant(2)])
  const cards = () => list().getByRole('listitem').elements()
  await expect.poll(() => cards().length).toBe(2)
  await drawAs('print')
  expect(matchMedia('print').matches).toBe(true)

  await expect.element(page.getByRole('button', { name: 'Person 01: Danger on floor' })).toBeVisible()
  const edges = cards().map((card) => getComputedStyle(card.querySelector('.card') as Element))
  expect(edges.map(({ borderLeftWidth }) => borderLeftWidth)).toEqual(['8px', '8px'])
  expect(edges[0]?.borderLeftColor).toBe('rgb(200, 16, 46)')
  expect(edges[1]?.borderLeftColor).not.toBe(edges[0]?.borderLeftColor)
  // Browsers leave out the fill of a status on paper unless they are told.
  expect(edges[0]?.printColorAdjust).toBe('exact')
})

test('FLOOR-13 FLOOR-43 the message button leads to the person and back, and marks what is unread', async () => {
  serve([occupant(1, { message: { unread: true, noreply: false } }), occupant(2)])
  await renderScreen(<FloorEvacuationScreen />)

  const address = `/message/evacuee/${occupant(1).id}?from=%2Ffloor%2Fevacuation`
  await expect.element(page.getByRole('link', { name: 'Message Person 01, unread' })).toHaveAttribute('href', address)
  await expect.element(page.getByRole('link', { name: 'Message Person 02' })).toBeVisible()
  await expectNoAxeViolations()
})

test('FLOOR-13 without the messages module there is no message button', async () => {
  serve(occupants(1))
  await renderScreen(<FloorEvacuationScreen />, {
    auth: { module_access: flags('Module_Floor_Evacuation') },
  })
  await expect.element(list()).toBeInTheDocument()
  expect(page.getByRole('link', { name: /^Message/ }).elements()).toEqual([])
})

test("FLOOR-12 a floor or a search without people shows 'No Occupant Found..'", async () => {
  await open([])
  await expect.element(page.getByText('No Occupant Found..')).toBeVisible()
  await expectNoAxeViolations()
})

test('FLOOR-32 FLOOR-34 AMB-113 the search asks the server from one character, once the typing has stopped', async () => {
  await open(occupants(12))
  await search().fill('1')
  await search().fill(' 12 ')
  await expect.poll(names).toEqual(['Person 12'])
  expect(server.received(searchOccupants).map(({ input }) => input)).toEqual([
    { params: { text: '12' }, query: { floor: level3 } },
  ])

  const reads = server.received(listOccupants).length
  await search().fill('')
  await expect.poll(names).toHaveLength(12)
  await expect.poll(() => server.received(listOccupants).length).toBeGreaterThan(reads)

  await search().fill('3')
  await expect.poll(names).toEqual(['Person 03'])
  await search().fill('nobody')
  await expect.element(page.getByText('No Occupant Found..')).toBeVisible()
})

test('AMB-113 a new search cancels the one under way', async () => {
  await open(occupants(3))
  server.answer(searchOccupants, () => new Promise(() => undefined))
  await search().fill('1')
  await expect.poll(() => server.received(searchOccupants).length).toBe(1)

  await search().fill('2')

  await expect.poll(() => server.received(searchOccupants).map(({ signal }) => signal?.aborted)).toEqual([true, false])
})

test('UI a search that cannot reach the server looks among the people on this phone, and says so', async () => {
  await open(occupants(12))
  server.answer(searchOccupants, cutOff)

  await search().fill('1')

  await expect.element(page.getByText(/The search cannot reach the server\./)).toBeVisible()
  expect(names()).toEqual(['Person 01', 'Person 10', 'Person 11', 'Person 12'])
})

test('FLOOR-05 refresh reads the list again', async () => {
  const floor = serve(occupants(1))
  await renderScreen(<FloorEvacuationScreen />)
  await expect.element(list()).toBeInTheDocument()
  floor.change(occupant(1).id, { status: 'safe' })

  await page.getByRole('button', { name: 'Refresh' }).last().click()

  await expect.element(page.getByRole('button', { name: 'Person 01: Safe on floor' })).toBeVisible()
})

test('AMB-130 a status that came by text, a phone that refuses texts and a question without reply show on the card', async () => {
  await open([
    occupant(1, { status: 'safe', by_sms: true }),
    occupant(2, { sms_refused: true, message: { unread: false, noreply: true } }),
  ])
  const notes = () => [...list().element().children].map((card) => card.textContent)

  await expect.poll(() => notes()[0]).toContain('by SMS, unverified')
  expect(notes()[1]).toMatch(/No reply.*SMS refused/)
  expect(notes()[0]).not.toMatch(/SMS refused|No reply/)
})

test('REC-24 a status that came by the own page shows on the card, and the newer way alone', async () => {
  await open([occupant(1, { status: 'safe', by_page: true }), occupant(2, { status: 'danger', by_page: true })])
  const notes = () => [...list().element().children].map((card) => card.textContent)

  await expect.poll(() => notes()[0]).toContain('own page, unverified')
  expect(notes()[1]).toContain('own page, unverified')
  expect(notes()[0]).not.toContain('by SMS')
})

test('KIND-14 what the drill knew stands on the card until the person is recorded again', async () => {
  const at = new Date(2026, 0, 5, 10, 12, 40).toISOString()
  const floor = await open([occupant(1, { in_drill: { status: 'safe', at } }), occupant(2)])
  const notes = () => [...list().element().children].map((card) => card.textContent)
  await expect.poll(() => notes()[0]).toContain('In the drill: Safe, 10:12')
  expect(notes()[1]).not.toContain('In the drill')
  await expect.element(page.getByRole('button', { name: 'Person 01: Unknown' })).toBeVisible()

  floor.change(occupant(1).id, { status: 'danger', in_drill: undefined as never })
  await page.getByRole('button', { name: 'Refresh' }).last().click()

  await expect.poll(() => notes()[0]).not.toContain('In the drill')
})
