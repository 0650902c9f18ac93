import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { AssignmentUid, BuildingUid, FloorUid, SignInUid } from '#kernel/ids.ts'
import { responseStore } from '#web/live/response.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getInstruction, listInstructions, previewInstruction, sendInstruction } from '../calls/instructions.ts'
import { instructionPreset } from '../words.ts'
import { ago, instructionUid } from './command.fixture.ts'
import type { InstructionsPage, Preview, Sent } from './instructions/instructions.data.ts'
import { InstructionsScreen } from './instructions-screen.tsx'

const server = serverForEachTest()
const floor = (level: number) => `00000000-0000-4000-8000-0000000cf00${level}` as FloorUid
const tower = {
  id: '00000000-0000-4000-8000-0000000cb001' as BuildingUid,
  name: 'Tower A',
  floors: [0, 1, 2, 3].map((level) => ({ id: floor(level), name: level === 0 ? 'Ground' : `Level ${level}` })),
}
const sent = (over: Partial<Sent> = {}): Sent => ({
  uid: instructionUid,
  kind: 'stay',
  message: instructionPreset.stay,
  floors: [floor(1)],
  by: 'Dee Diaz',
  at: ago(1.5),
  understood: 2,
  meant: 3,
  ...over,
})
const answer = (over: Partial<InstructionsPage> = {}): InstructionsPage => ({
  places: [tower],
  sent: [],
  sms_allowed: true,
  ...over,
})
const ahead = (over: Partial<Preview> = {}): Preview => ({
  wardens: 4,
  recent: [],
  danger: 0,
  unknown: 0,
  contradictions: 0,
  ...over,
})

async function open(page_ = answer(), preview = ahead(), search = '') {
  server.answer(listInstructions, page_)
  server.answer(previewInstruction, preview)
  server.answer(sendInstruction, { uid: instructionUid, meant: 4 })
  const screen = await renderScreen(<InstructionsScreen />, { at: { pathname: '/event/instructions', search } })
  await expect.element(page.getByRole('button', { name: 'Send', exact: true, includeHidden: true })).toBeInTheDocument()
  return screen
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const confirm = () => page.getByRole('alertdialog')

test('CMD-20 CMD-21 CMD-25 CMD-26 kind, sentence, a wave in two presses; the confirmation names it all, and one press sends', async () => {
  await open(undefined, ahead({ recent: [sent({ at: ago(1) })] }))
  await page.getByRole('radio', { name: 'Prepare' }).click({ force: true })
  await expect.element(page.getByLabelText('Sentence')).toHaveValue(instructionPreset.prepare)
  await page.getByLabelText('Sentence').fill('Gather at the stairs.')
  await button('Level 2').click()
  await button('This floor ±1').click()
  await expectNoAxeViolations()
  await button('Send').click()

  await expect.element(confirm()).toMatchTextContent('Send ‘Prepare’?')
  await expect.element(confirm()).toMatchTextContent('Tower A, Level 1, Level 2 and Level 3')
  await expect.element(confirm()).toMatchTextContent('Dee Diaz sent ‘Stay’ 1 min ago. Tower A, Level 1.')
  await expectNoAxeViolations()
  await confirm().getByRole('button', { name: 'Send to 4 wardens' }).click()

  await expect.element(page.getByText('Instruction sent to 4 wardens.')).toBeVisible()
  expect(server.received(sendInstruction).map(({ input }) => input.body)).toEqual([
    { kind: 'prepare', message: 'Gather at the stairs.', floors: [floor(1), floor(2), floor(3)], text: 'yes' },
  ])
})

test('CMD-21 without floors nothing is sent; a floor of the address is chosen at once', async () => {
  await open()
  await button('Send').click({ force: true })
  await expect.element(page.getByText('Choose the floors it is for.')).toBeVisible()
  expect(confirm().query()).toBeNull()
})

test('CMD-26 the floor that the address names is chosen', async () => {
  await open(undefined, undefined, `?floor=${floor(3)}`)

  await expect.element(button('Level 3')).toHaveAttribute('aria-pressed', 'true')
  await expect.element(page.getByText('Tower A, Level 3')).toBeVisible()
})

test('REC-08 CMD-21 an address with floor and kind asks at once, sends once, and does not ask again', async () => {
  const { address } = await open(undefined, undefined, `?floor=${floor(3)}&kind=recheck`)
  await expect.element(confirm()).toMatchTextContent('Send ‘Check again’?')
  await expect.element(confirm()).toMatchTextContent('Tower A, Level 3')
  await expectNoAxeViolations()
  await confirm().getByRole('button', { name: 'Send to 4 wardens' }).click()

  await expect
    .poll(() => server.received(sendInstruction).map(({ input }) => input.body))
    .toEqual([
      { kind: 'recheck', message: `Tower A, Level 3. ${instructionPreset.recheck}`, floors: [floor(3)], text: 'yes' },
    ])
  await expect.poll(address).toBe('/event/instructions')
})

test('REC-08 CMD-21 a floor that has left the event is not asked for', async () => {
  await open(undefined, undefined, `?floor=${floor(9)}&kind=recheck`)
  await expect.element(page.getByRole('radio', { name: 'Check again' })).toBeChecked()
  expect(confirm().query()).toBeNull()
})

test('CMD-27 going back in warns with who is not safe, and needs the tick', async () => {
  await open(undefined, ahead({ danger: 2, unknown: 31, contradictions: 1 }))
  await page.getByRole('radio', { name: 'Go back in' }).click({ force: true })
  await button('All floors').click()
  await button('Send').click()

  await expect.element(confirm()).toMatchTextContent('In danger 2, unknown 31, contradictions 1.')
  const press = confirm().getByRole('button', { name: 'Send to 4 wardens' })
  await expect.element(press).toBeDisabled()
  await confirm().getByLabelText('The fire service has agreed, or was not called.').click()
  await press.click()

  await expect
    .poll(() => server.received(sendInstruction)[0]?.input.body)
    .toMatchObject({ floors: 'all', kind: 're_entry' })
})

test('CMD-21 a failed press keeps everything and sends once', async () => {
  await open()
  server.answer(sendInstruction, refused('unavailable'))
  await button('Ground').click()
  await button('Send').click()
  await confirm().getByRole('button', { name: 'Send to 4 wardens' }).click()
  await expect.element(confirm().getByText('Not saved. Try again.')).toBeVisible()

  server.answer(sendInstruction, { uid: instructionUid, meant: 4 })
  await confirm().getByRole('button', { name: 'Send to 4 wardens' }).click()
  await expect.element(page.getByText('Instruction sent to 4 wardens.')).toBeVisible()

  const keys = server.received(sendInstruction).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
})

test('CMD-24 what was sent says how many have understood, and who has not', async () => {
  await open(answer({ sent: [sent()] }))
  server.answer(getInstruction, {
    understood: 2,
    meant: 3,
    next: null,
    not_yet: [
      {
        wardenSignInUid: '00000000-0000-4000-8000-0000000ce001' as SignInUid,
        id: '00000000-0000-4000-8000-0000000ce002' as AssignmentUid,
        name: 'Lou Lane',
        areas: ['Tower A - Level 1'],
        phone: '61491000002',
        texted: true,
      },
    ],
  })
  await expect.element(page.getByText('2 of 3 understood')).toBeVisible()
  await button('Not yet: 1').click()

  const row = page.getByRole('list', { name: 'Not yet' })
  await expect.element(row).toMatchTextContent('Lou LaneTower A - Level 1. Text sent')
  await expect.element(row.getByRole('link', { name: 'Call Lou Lane' })).toBeVisible()
  await expect.element(row.getByRole('link', { name: 'Message Lou Lane' })).toBeVisible()
  await expectNoAxeViolations()
})

const hiding = (building: BuildingUid) => ({
  of: () => (text: string) => text,
  in: () => (text: string) => text,
  total: (text: string) => text,
  isHidden: false,
  quiet: new Set([building]),
})

test('RESP-05 in a lockdown Evacuate is not offered: the action is changed instead', async () => {
  onTestFinished(() => responseStore.set(null))
  responseStore.set(hiding(tower.id))
  await open()
  await expect.element(page.getByRole('radio', { name: 'Stay' })).toBeChecked()
  expect(page.getByRole('radio', { name: 'Evacuate' }).elements()).toEqual([])
})

test('RESP-05 in a lockdown no one is told to check again, and of two buildings only where no one hides', async () => {
  onTestFinished(() => responseStore.set(null))
  responseStore.set(hiding(tower.id))
  const screen = await open(undefined, undefined, `?floor=${floor(1)}&kind=recheck`)
  await expect.element(page.getByText('No one is sent to another floor in a lockdown.')).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Prepare' })).toBeInTheDocument()
  expect(page.getByRole('radio', { name: 'Check again' }).elements()).toEqual([])
  expect(confirm().elements()).toEqual([])
  await screen.unmount()

  const other = {
    ...tower,
    id: '00000000-0000-4000-8000-0000000cb002' as BuildingUid,
    name: 'Tower B',
    floors: [{ id: floor(5), name: 'Hall' }],
  }
  await open(answer({ places: [tower, other] }), undefined, `?floor=${floor(5)}&kind=recheck`)
  await expect.element(confirm()).toBeVisible()
})
