import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { eventTypeProperties } from '#features/directory/columns.ts'
import type { EventTypeUid, FloorStatusUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, quay, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  addChecklistItem,
  addDocument,
  addEventType,
  addEventTypeSet,
  addTemplate,
  changeFloorStatus,
  type DocumentRow,
  type FloorStatusRow,
  listChecklist,
  listDocumentRows,
  listEventTypes,
  listFloorStatuses,
  listTemplateRows,
  orderChecklist,
  orderFloorStatuses,
  storeDocumentFile,
} from '../../calls/lists.ts'
import { begunOf } from '../plain-fields.ts'

const server = serverForEachTest()
const uid = (n: number) => `00000000-0000-4000-8000-00000000000${n}` as FloorStatusUid
const status = (n: number, over: Partial<FloorStatusRow> = {}): FloorStatusRow => ({
  uid: uid(n),
  version: '1',
  name: `Status ${n}`,
  colour: 'green',
  means_clear: false,
  in_use: true,
  ...over,
})
const document = (over: Partial<DocumentRow> = {}): DocumentRow => ({
  uid: uid(9),
  version: '1',
  name: 'Map',
  url: null,
  kind: 'pdf',
  bytes: 2_500_000,
  link: 'https://maps.test/',
  site: quay,
  role: null,
  person: null,
  in_use: true,
  ...over,
})
const open = (kind = 'floor-statuses') => renderScreen(<Console />, { at: `/console/lists/${kind}`, auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(
    listFloorStatuses,
    listPage([status(1), status(2, { colour: '#123456' }), status(3, { in_use: false })]),
  )
  server.answer(listChecklist, listPage([]))
  server.answer(listTemplateRows, listPage([]))
  server.answer(listEventTypes, listPage([]))
  server.answer(listDocumentRows, { ...listPage([document()]), sites: [quay], roles: [] })
})

afterEach(() => page.viewport(390, 844))

test('AAR-13 without a status that means clear the list says so; a status is marked', async () => {
  server.answer(changeFloorStatus, { uid: uid(2) })
  const none = page.getByText('No floor status of this organisation means clear. Mark one to get clear times.')
  await open()
  await expect.element(none).toBeVisible()
  await expectNoAxeViolations()

  await button('Change: Status 2').click()
  await page.getByRole('checkbox', { name: 'Means clear' }).click()
  server.answer(listFloorStatuses, listPage([status(1), status(2, { means_clear: true })]))
  await button('Save').click()

  await expect.element(page.getByRole('cell', { name: 'Means clear', exact: true })).toBeVisible()
  await expect.element(none).not.toBeInTheDocument()
  expect(server.received(changeFloorStatus)[0]?.input.body).toEqual({
    version: '1',
    name: 'Status 2',
    colour: '#123456',
    means_clear: true,
    in_use: true,
  })
})

test('PPL-40 PPL-41 statuses stand in order with their colours; a row moves down, and its colour is previewed', async () => {
  server.answer(orderFloorStatuses, { status: 'ordered' })
  server.answer(changeFloorStatus, { uid: uid(2) })
  await open()
  await expect.element(page.getByRole('rowheader', { name: 'Status 1' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Out of use' })).toBeVisible()
  await expect.element(button('Move up: Status 1')).toBeDisabled()
  await expectNoAxeViolations()
  await button('Move down: Status 1').click()
  await expect
    .poll(() => server.received(orderFloorStatuses)[0]?.input.body)
    .toEqual({ uids: [uid(2), uid(1), uid(3)] })

  await button('Change: Status 2').click()
  await field('Name').fill('Searched')
  await expect.element(page.getByText('Searched')).toBeVisible()
  await expectNoAxeViolations()
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(changeFloorStatus)[0]?.input).toMatchObject({
    params: { uid: uid(2) },
    body: { version: '1', name: 'Searched', colour: '#123456', in_use: true },
  })
})

test('PPL-41 a name that is used is told below the field, and the text stays', async () => {
  const message = 'This name is already in use.'
  server.answer(changeFloorStatus, refused('taken', message, [{ field: 'name', row: 1, message }]))
  await open()
  await button('Change: Status 1').click()
  await field('Name').fill('Status 2')
  await button('Save').click()

  await expect.element(field('Name')).toHaveAccessibleDescription(message)
  await expect.element(field('Name')).toHaveValue('Status 2')
})

test('PPL-40 a template counts its characters and segments, and is added by keyboard alone', async () => {
  server.answer(addTemplate, { uid: uid(5) })
  await open('templates')
  await expect.element(page.getByText('There are no templates yet.')).toBeVisible()
  await button('Add').click()
  await field('Text').fill('Wo sind Sie? Žižka')
  await expect.element(field('Text')).toHaveAccessibleDescription('18 of 130, 1 segment as a text')
  await expect.element(page.getByRole('checkbox', { name: /Coded answer/ })).not.toBeInTheDocument()
  await page.getByRole('combobox', { name: 'Kind' }).selectOptions('To occupants')
  await page.getByRole('checkbox', { name: /Coded answer/ }).click()
  await expectNoAxeViolations()
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  expect(server.received(addTemplate)[0]?.input.body).toEqual({
    kind: 'Evacuee',
    text: 'Wo sind Sie? Žižka',
    coded_answer: true,
    in_use: true,
  })
})

test('REC-20 a template to occupants takes {link}, and counts the segments of the link', async () => {
  await open('templates')
  await button('Add').click()
  await expect.element(field('Text')).toBeVisible()
  await expect.element(button('Own page')).not.toBeInTheDocument()
  await page.getByRole('combobox', { name: 'Kind' }).selectOptions('To occupants')
  await field('Text').fill('y'.repeat(120))
  await button('Own page').click()
  await expect.element(field('Text')).toHaveValue(`${'y'.repeat(120)} {link}`)
  await expect
    .element(field('Text'))
    .toHaveAccessibleDescription(/^127 of 130, 2 segments as a text \{link\} becomes a link to the person's own page/)
  await expectNoAxeViolations()
})

test('PPL-40 the other lists are a tab away, and closing a form that was changed asks first', async () => {
  const row = { uid: uid(4) as string as EventTypeUid, version: '1', type: 'Fire', description: '', message: 'Leave.' }
  server.answer(listEventTypes, listPage([{ ...row, ...begunOf(eventTypeProperties), in_use: true }]))
  const screen = await open()
  await page.getByRole('link', { name: 'Event types' }).click()
  await expect.element(page.getByRole('rowheader', { name: 'Fire' })).toBeVisible()
  expect(screen.address()).toBe('/console/lists/event-types')
  await expect.element(page.getByRole('link', { name: 'Event types' })).toHaveAttribute('aria-current', 'page')
  await button('Change: Fire').click()
  await expect.element(field('Message')).toHaveAccessibleDescription('6 of 130, 1 segment as a text')
  await userEvent.keyboard('{Escape}')

  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('KIND-03 a new event type is meant for live events until drills are chosen', async () => {
  server.answer(addEventType, { uid: uid(4) })
  await open('event-types')
  await button('Add').click()
  const meantFor = page.getByRole('combobox', { name: 'Meant for' })
  await expect.element(meantFor).toHaveDisplayValue('Live events')
  await field('Type').fill('Exercise')
  await meantFor.selectOptions('Drills')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  const begun = { description: '', message: '', in_use: true }
  expect(server.received(addEventType)[0]?.input.body).toMatchObject({ ...begun, type: 'Exercise', kind: 'drill' })
})

test('RESP-12 a set of event types shows what it adds, and what is there already is not added', async () => {
  server.answer(addEventTypeSet, { added: 5 })
  const row = { uid: uid(4) as string as EventTypeUid, version: '1', type: 'Fire', description: '', message: 'Leave.' }
  server.answer(listEventTypes, listPage([{ ...row, ...begunOf(eventTypeProperties), in_use: true }]))
  await open('event-types')
  await button('Add a set').click()
  await expect.element(button('Add 0 event types')).toBeDisabled()
  await page
    .getByRole('combobox', { name: 'What kind of place is this?' })
    .selectOptions('Workplace, Australia (AS 3745)')
  const added = page.getByRole('list', { name: 'Event types that are added' })
  const shown = () => added.query()?.textContent ?? ''
  await expect.poll(shown).toContain('Severe weather: Shelter, inner rooms, away from windows')
  expect(shown()).not.toContain('Fire')
  await expectNoAxeViolations()
  await button('Add 5 event types').click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  expect(server.received(addEventTypeSet)[0]?.input.body).toEqual({ set: 'workplace_au' })
})

test('PPL-42 PPL-43 a file is stored before its document, and why it is refused stands below it', async () => {
  const locked = 'The file is protected by a password.'
  server.answer(storeDocumentFile, refused('invalid_request', locked, [{ field: 'file', row: 1, message: locked }]))
  server.answer(addDocument, { uid: uid(6) })
  await open('documents')
  await expect.element(page.getByRole('link', { name: 'Map' })).toHaveAttribute('href', 'https://maps.test/')
  await expect.element(page.getByRole('cell', { name: 'PDF, 2.4 MB' })).toBeVisible()
  await button('Add').click()
  await field('Name').fill('Plan')
  await userEvent.upload(page.getByLabelText('File'), new File(['%PDF-1.7'], 'plan.pdf'))
  await page.getByRole('combobox', { name: 'Site' }).selectOptions('Harbour Quarter')
  await expectNoAxeViolations()
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await expect.element(page.getByText(locked)).toBeVisible()

  server.answer(storeDocumentFile, { file: 'a-key.pdf', kind: 'pdf', bytes: 8 })
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  expect(server.received(addDocument)[0]?.input.body).toEqual({
    name: 'Plan',
    url: '',
    file: 'a-key.pdf',
    site: quay.uid,
    role: null,
    person: null,
    in_use: true,
  })
})

test('PPL-43 a file of more than 20 MB is refused before it is sent', async () => {
  await open('documents')
  await button('Add').click()
  await field('Name').fill('Plan')
  // chosen in the page: sending 20 MB to the browser would take seconds
  const chosen = new DataTransfer()
  chosen.items.add(new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'plan.pdf'))
  const input = page.getByLabelText('File').element() as HTMLInputElement
  input.files = chosen.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()

  await expect.element(page.getByText('The file is larger than 20 MB.')).toBeVisible()
  expect(server.received(storeDocumentFile)).toEqual([])
})

test('PPL-40 who administers a site has its documents alone', async () => {
  serveConsole(server, someMe({ reach: { kind: 'site', name: 'Harbour Quarter' }, rights: ['lists'] }))
  await open()

  await expect.element(page.getByRole('link', { name: 'Map' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Templates' })).not.toBeInTheDocument()
})

test('AAR-29 the twelve items are shown until there are own ones, which are added and put in order', async () => {
  await open('checklist')
  const preset = page.getByText('These 12 items are asked until you add your own')
  await expect.element(preset).toBeVisible()
  await expectNoAxeViolations()
  server.answer(addChecklistItem, { uid: uid(1) })
  server.answer(orderChecklist, { status: 'ordered' })
  await button('Add').click()
  await field('Item').fill('Gas shut off?')
  const items = [1, 2].map((n) => ({ uid: uid(n), version: '1', text: `Gas ${n} off?`, in_use: true }))
  server.answer(listChecklist, listPage(items))
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()

  await expect.element(page.getByRole('rowheader', { name: 'Gas 1 off?' })).toBeVisible()
  await expect.element(preset).not.toBeInTheDocument()
  await expectNoAxeViolations()
  await button('Move down: Gas 1 off?').click()
  await expect.poll(() => server.received(orderChecklist)[0]?.input.body).toEqual({ uids: [uid(2), uid(1)] })
  expect(server.received(addChecklistItem)[0]?.input.body).toEqual({ text: 'Gas shut off?', in_use: true })
})
