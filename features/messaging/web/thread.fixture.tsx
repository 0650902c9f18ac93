import { beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { occupant } from '#web/testing/floor-data.ts'
import { evacueeThread, serveTemplates, warden, wardenThread } from '#web/testing/message-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getEvacueeThread, getWardenThread } from '../calls/messaging.ts'
import { EvacueeThreadScreen } from './evacuee-thread-screen.tsx'
import { WardenThreadScreen } from './warden-thread-screen.tsx'

/** For each test of a file a server of its own, with templates. */
export function messagingOnScreen() {
  const server = serverForEachTest()
  beforeEach(() => serveTemplates(server))
  return {
    server,
    async openWarden(thread = wardenThread()) {
      server.answer(getWardenThread, thread)
      const screen = await showWarden()
      await expect.element(page.getByRole('heading', { level: 2 })).toBeVisible()
      return screen
    },
    async openEvacuee(thread = evacueeThread()) {
      server.answer(getEvacueeThread, thread)
      const screen = await showEvacuee()
      await expect.element(page.getByRole('heading', { level: 2 })).toBeVisible()
      return screen
    },
  }
}

export const showWarden = () =>
  renderScreen(<WardenThreadScreen />, { at: `/message/warden/${warden(1).id}`, route: '/message/warden/:wardenId' })
export const showEvacuee = () =>
  renderScreen(<EvacueeThreadScreen />, {
    at: `/message/evacuee/${occupant(1).id}`,
    route: '/message/evacuee/:evacueeId',
  })

export const box = () => page.getByRole('textbox', { name: 'Message' })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const templateButton = (text: string) => page.getByRole('dialog').getByRole('button', { name: text })
export const log = () => page.getByRole('log')
export const shown = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible()
export async function send(text: string) {
  await box().fill(text)
  await button('Send').click()
}
/** UX-04: what is asked before a group is sent a message. */
export const question = () => page.getByRole('alertdialog')
/** UX-04: a group is asked for first. */
export async function sendToGroup(text: string) {
  await send(text)
  await question()
    .getByRole('button', { name: /^Send to / })
    .click()
}
/** Milliseconds of the timers set so far. */
export const delaysOf = (timers: { mock: { calls: unknown[][] } }) => timers.mock.calls.map(([, delay]) => delay)
