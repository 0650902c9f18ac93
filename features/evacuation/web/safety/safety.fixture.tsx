import { beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { occupants } from '#web/testing/floor-data.ts'
import { emptyOutbox } from '#web/testing/outbox.ts'
import { type RenderScreenOptions, renderScreen } from '#web/testing/render-screen.tsx'
import { serveSafety } from '#web/testing/safety-data.ts'
import { type FilterSet, filterEvacuees } from '../../calls/safety.ts'
import { SafetyScreen } from './safety-screen.tsx'

/** For each test of a file the safety screen with a server of its own and an empty outbox. */
export function safetyOnScreen() {
  const server = serverForEachTest()
  beforeEach(emptyOutbox)
  const serve = (people = occupants(2), overrides: Parameters<typeof serveSafety>[2] = {}) =>
    serveSafety(server, people, overrides)
  return {
    server,
    serve,
    async open(people = occupants(2), overrides: Parameters<typeof serve>[1] = {}, options: RenderScreenOptions = {}) {
      const known = serve(people, overrides)
      const screen = await renderScreen(<SafetyScreen />, {
        at: '/evacuee/safety',
        route: '/evacuee/safety',
        ...options,
      })
      await expect.element(page.getByRole('group', { name: 'Filters' })).toBeVisible()
      return { ...known, ...screen }
    },
    /** The filter sets the server has been asked with. */
    asked: (): FilterSet[] => server.received(filterEvacuees).map(({ input }) => input.body),
  }
}

export const filterButton = (name: string | RegExp) =>
  page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
export const displayButton = (name: RegExp) =>
  page.getByRole('group', { name: 'Display' }).getByRole('button', { name })
export const statusButton = (n: number) => page.getByRole('button', { name: new RegExp(`^Person 0${n}: `) })
export const shows = (n: number, text: string) =>
  expect.element(statusButton(n)).toHaveTextContent(`Person 0${n}: ${text}`)
export const sheet = () => page.getByRole('dialog')
