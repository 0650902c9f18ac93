import { beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { occupants, serveFloor } from '#web/testing/floor-data.ts'
import { emptyOutbox } from '#web/testing/outbox.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { FloorEvacuationScreen } from './floor-evacuation-screen.tsx'

/** For each test of a file the floor screen with a server of its own and an empty outbox. */
export function floorOnScreen() {
  const server = serverForEachTest()
  beforeEach(emptyOutbox)
  const serve = (people = occupants(2), overrides = {}) => serveFloor(server, people, overrides)
  return {
    server,
    /** Lets the server know these people, and take records about them. */
    serve,
    async open(people = occupants(2), overrides = {}) {
      const floor = serve(people, overrides)
      const screen = await renderScreen(<FloorEvacuationScreen />, { at: '/floor/evacuation' })
      await expect.element(page.getByRole('combobox', { name: 'Building', exact: true })).toBeVisible()
      return { ...floor, ...screen }
    },
  }
}

export const statusButton = (n: number) => page.getByRole('button', { name: new RegExp(`^Person 0${n}: `) }).last()
export const shows = (n: number, text: string) =>
  expect.element(statusButton(n)).toHaveTextContent(`Person 0${n}: ${text}`)
export const sheet = () => page.getByRole('dialog')
export const choose = (text: string) => sheet().getByRole('button', { name: text }).click()
/** Opens the sheet of 'Person 0n' and chooses. */
export async function record(n: number, text: string) {
  await statusButton(n).click()
  await choose(text)
}
