import { spawnSync } from 'node:child_process'
import { endEvent, listEventSites, makeEventLive } from '#features/events/calls/events.ts'
import { listSimulatedTexts } from '#features/texts/calls/simulator.ts'
import { signIn, startEvent, strangerOf } from '../rig/api.ts'
import { card, expect, expectAccessible, mark, openFloorOn, test } from './support/test.ts'

test('KIND-07 KIND-10 KIND-13 KIND-14 KIND-15 a drill on every screen and text, until two managers make it live at once', async ({
  product,
  organisation,
  phone,
}) => {
  const loud = { kind: 'drill', broadcastMessage: 'yes', alertToWarden: 'yes' } as const
  const manager = await startEvent(product, organisation, ['Tower A'], loud)
  const mobile = organisation.floor1Mobile.replace(/^0/, '61').replaceAll(' ', '')
  const textsOn = async () =>
    (await strangerOf(product)(listSimulatedTexts, { query: { mobile } })).map(({ body }) => body)
  await expect.poll(textsOn).toEqual([expect.stringMatching(/^DRILL DRILL DRILL\. Fire alarm\. .*Report in: /)])

  const page = await phone()
  await openFloorOn(page, organisation.floor1)
  const bar = page.getByText('DRILL. This is an exercise.')
  await expect(bar).toBeInViewport()
  const person = card(page, 'Bruno Castillo 02')
  await mark(page, 'Bruno Castillo 02', 'Safe on floor')
  await expect(person.getByRole('button', { name: /Safe on floor/ })).toBeVisible()

  const { data } = await manager(listEventSites, {})
  const event = data.activeEvent?.id as never
  const message = 'THIS IS NOT A DRILL. Leave now.'
  const other = await signIn(product, organisation.deputy)
  const answers = await Promise.all([manager, other].map((call) => call(makeEventLive, { body: { event, message } })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['event_live']))

  const modal = page.getByRole('alertdialog', { name: 'This is not a drill' })
  await expect(modal).toBeVisible()
  await expect(bar).toBeHidden()
  await expectAccessible(page, 'a drill made live')
  await modal.getByRole('button', { name: 'I understand' }).click()
  await expect(modal).toBeHidden()
  await expect(person.getByText('In the drill: Safe, ', { exact: false })).toBeVisible()
  await expect(person.getByRole('button', { name: /Unknown/ })).toBeVisible()
  await expect
    .poll(async () => (await manager(listEventSites, {})).data.activeEvent?.live)
    .toMatchObject({ seen: 2, wardens: 2, not_seen: [] })

  const buildings = data.sites[0]?.buildings.filter((one) => one.event).map(({ id }) => id) ?? []
  const eventType = data.activeEvent?.eventType as never
  await manager(endEvent, { body: { buildings, eventType, message: 'It is over', broadcastMessage: 'yes' } })
  await expect.poll(async () => (await textsOn()).toSorted()).toHaveLength(3)
  expect((await textsOn()).filter((body) => body.startsWith('DRILL'))).toHaveLength(1)
})

test('KIND-07: every sheet that is printed in a drill has its bar', async ({ product, organisation, phone }) => {
  const sheetsOf = (pdf: Buffer) => spawnSync('pdftotext', ['-', '-'], { input: pdf })
  // biome-ignore lint/suspicious/noSkippedTests: a program that reads PDFs need not be installed
  test.skip(sheetsOf(Buffer.alloc(0)).error !== undefined, 'needs the Debian package poppler-utils')
  await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const page = await phone()
  await openFloorOn(page, organisation.floor1)
  await expect(card(page, 'Bruno Castillo 02')).toBeVisible()

  const pdf = await page.pdf({ width: '390px', height: '500px' })

  const sheets = `${sheetsOf(pdf).stdout}`.split('\f').slice(0, -1)
  expect(sheets.length).toBeGreaterThan(1)
  for (const sheet of sheets) expect(sheet).toContain('DRILL. This is an exercise.')
})
