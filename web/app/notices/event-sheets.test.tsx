import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { takeCommand } from '#features/command/calls/command.ts'
import { understand } from '#features/command/calls/instructions.ts'
import {
  ago,
  ann,
  brief,
  evacuate,
  instructionUid,
  nextTurnUid,
  state,
  turnUid,
} from '#features/command/web/command.fixture.ts'
import { understoodStore } from '#features/command/web/understood.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import type { InstructionUid } from '#kernel/ids.ts'
import type { Brief } from '../../reads/brief.data.ts'
import { madeLiveStore } from '../../session/event-notices.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { cutOff, type FakeServer } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const sheet = (name: string | RegExp = 'Evacuate') => page.getByRole('alertdialog', { name })
const line = () => page.getByRole('link', { name: /in command/i })

async function open(
  answer: Brief,
  { at = '/me/role', kind = 'live' as 'live' | 'drill', given = (_: FakeServer) => {} } = {},
) {
  understoodStore.set(new Set())
  const app = await renderApp(at, {
    auth: { event_kind: kind },
    given: (server) => {
      server.answer(getBrief, answer)
      given(server)
    },
  })
  /** What the server answers from now on; read at once, as after news. */
  const tell = async (next: Brief) => {
    app.server.answer(getBrief, next)
    await app.queryClient.invalidateQueries({ queryKey: ['command'] })
  }
  return { app, server: app.server, tell }
}

test('CMD-02 every event page says below its header who is in command, and leads to the command', async () => {
  const { app } = await open(brief())

  await expect.element(line()).toMatchTextContent('In command: Ann Brown, Chief Warden')
  expect(line().element().getBoundingClientRect().height).toBe(28)
  await expectNoAxeViolations()
  await line().click()
  expect(app.address()).toBe('/event/command')
})

test('KIND-18 nothing covers "This is not a drill": the sheet of an instruction comes after it', async () => {
  const { tell } = await open(brief())
  madeLiveStore.set({ event: 'e1' as never, at: new Date().toISOString() })
  await tell({ ...brief(), instruction: evacuate })

  const modal = page.getByRole('alertdialog', { name: 'This is not a drill' })
  await expect.element(modal).toBeVisible()
  expect(sheet().query()).toBeNull()
  madeLiveStore.set(null)

  await expect.element(sheet()).toBeVisible()
})

test('CMD-02 CMD-05 the line says that no one leads, or is heard', async () => {
  const { tell } = await open(brief({ in_command: null }))
  await expect.element(line()).toMatchTextContent('No one is in command.')

  await tell(brief({ silent_since: ago(7) }))

  await expect.element(line()).toMatchTextContent('No contact for 7 min')
})

test('CMD-02 KIND-07 in a drill the line shares the row of its bar', async () => {
  await open(brief(), { kind: 'drill' })

  await expect.element(line()).toBeVisible()
  const bar = page.getByText('DRILL. This is an exercise.').element().parentElement as HTMLElement
  expect(bar.contains(line().element())).toBe(true)
  expect(bar.getBoundingClientRect().height).toBe(40)
  expect(
    page
      .getByRole('banner')
      .getByRole('link', { name: /in command/i })
      .query(),
  ).toBeNull()
  await expectNoAxeViolations()
})

test('CMD-02 a page with a bar of its own has neither line nor sheet', async () => {
  await open(brief({}, evacuate), { at: '/reportinlist' })

  await expect.element(page.getByText('page /reportinlist')).toBeVisible()
  expect(line().query()).toBeNull()
  expect(sheet().query()).toBeNull()
})

test('CMD-22 an instruction covers the page until it is understood; the button is armed late and 72 px high', async () => {
  const { server } = await open(brief({}, evacuate), {
    given: (fake) => fake.answer(understand, { status: 'success' }),
  })

  await expect.element(sheet()).toMatchTextContent(evacuate.message)
  const press = sheet().getByRole('button', { name: 'Understood' })
  expect(press.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(72)
  expect(getComputedStyle(press.element()).animationDuration).toBe('0.4s')
  await expect.element(press).not.toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet()).toBeVisible()
  await expectNoAxeViolations()
  await press.click()

  await expect.element(sheet()).not.toBeInTheDocument()
  expect(server.received(understand).map(({ input }) => input.params)).toEqual([{ uid: instructionUid }])
})

test('CMD-23 a newer instruction replaces the sheet', async () => {
  const { tell } = await open(brief({}, evacuate))
  await expect.element(sheet()).toBeVisible()

  await tell(brief({}, { ...evacuate, uid: turnUid as string as InstructionUid, kind: 'stay', message: 'Stay.' }))

  await expect.element(sheet('Stay')).toMatchTextContent('Stay.')
  expect(sheet().query()).toBeNull()
})

test('CMD-24 without signal the sheet goes, the phone says that it is not sent yet, and tries again', async () => {
  const { server } = await open(brief({}, evacuate), { given: (fake) => fake.answer(understand, cutOff) })
  await sheet().getByRole('button', { name: 'Understood' }).click()
  await expect.element(page.getByText('Not sent yet. Trying again.')).toBeVisible()
  expect(sheet().query()).toBeNull()

  server.answer(understand, { status: 'success' })
  window.dispatchEvent(new Event('online'))

  await expect.element(page.getByText('Not sent yet. Trying again.')).not.toBeInTheDocument()
  const keys = server.received(understand).map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

const silent = (from: string): Partial<NonNullable<Brief['command']>> => ({
  silent_since: ago(6),
  take: { why: 'silent', from, name: ann.name, note: null, until: null },
})

test('CMD-05 CMD-07 the first of the chain is asked when the leader is not heard, and takes command in one tap', async () => {
  const { server, tell } = await open(brief(silent(ago(1))), {
    given: (fake) => fake.answer(takeCommand, state({ turn: nextTurnUid })),
  })
  const question = sheet('Ann Brown has been out of contact for 6 min. Take command?')
  await expect.element(question).toBeVisible()
  await expectNoAxeViolations()
  await question.getByRole('button', { name: 'Take command' }).click()
  await expect.poll(() => server.received(takeCommand)).toHaveLength(1)

  await tell(brief({ turn: nextTurnUid, in_command: { ...ann, name: 'Max Young', role: 'Deputy' } }))

  const news = page.getByText('Now in command: Max Young, Deputy')
  await expect.element(news).toBeVisible()
  // not over 'Understood' at the foot of a sheet
  expect(news.element().getBoundingClientRect().bottom).toBeLessThan(innerHeight / 2)
  expect(question.query()).toBeNull()
})

test("CMD-05 'Not now' is kept until something else is asked; the others of the chain are asked only from their moment", async () => {
  const { tell } = await open(brief(silent(ago(-1))))
  await expect.element(line()).toBeVisible()
  expect(sheet(/Take command/).query()).toBeNull()

  const asked = brief(silent(ago(0.1)))
  await tell(asked)
  await sheet(/Take command/)
    .getByRole('button', { name: 'Not now' })
    .click()
  await expect.element(sheet(/Take command/)).not.toBeInTheDocument()
  await tell({ ...asked })
  expect(sheet(/Take command/).query()).toBeNull()

  await tell(brief({ take: { why: 'asked', from: ago(0), name: ann.name, note: 'Level 2 is open.', until: ago(-2) } }))
  await expect.element(sheet('Ann Brown asks you to take command.')).toMatchTextContent('Level 2 is open.')
})

test('CMD-22 CMD-08 one sheet at a time, the instruction first', async () => {
  await open(brief(silent(ago(1)), evacuate), { given: (fake) => fake.answer(understand, { status: 'success' }) })
  await expect.element(sheet()).toBeVisible()
  expect(sheet(/Take command/).query()).toBeNull()

  await sheet().getByRole('button', { name: 'Understood' }).click()

  await expect.element(sheet(/Take command/)).toBeVisible()
})

test('CMD-22 a sheet waits for a finger that is down', async () => {
  const { tell } = await open(brief())
  await expect.element(line()).toBeVisible()
  document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  await tell(brief({}, evacuate))
  await expect.element(line()).toBeVisible()
  expect(sheet().query()).toBeNull()

  document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))

  await expect.element(sheet()).toBeVisible()
})
