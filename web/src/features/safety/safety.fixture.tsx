import { type FilterSet, filterEvacuees } from '@evac/contract/calls/safety.ts'
import { afterEach, beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { type FakeServer, fakeServer } from '../../testing/fake-server.ts'
import { occupants } from '../../testing/floor-data.ts'
import { emptyOutbox } from '../../testing/outbox.ts'
import { type RenderScreenOptions, renderScreen } from '../../testing/render-screen.tsx'
import { serveSafety } from '../../testing/safety-data.ts'
import { dismissToasts } from '../../testing/toasts.ts'
import { SafetyScreen } from './safety-screen.tsx'

/** For each test of a file the safety screen with a server of its own and an empty outbox. */
export function safetyOnScreen() {
  let current: FakeServer
  beforeEach(async () => {
    current = fakeServer()
    await emptyOutbox()
    window.scrollTo(0, 0)
  })
  afterEach(dismissToasts)

  const answer: FakeServer['answer'] = (call, given) => current.answer(call, given)
  const received: FakeServer['received'] = (call) => current.received(call)
  const serve = (people = occupants(2), overrides: Parameters<typeof serveSafety>[2] = {}) =>
    serveSafety(current, people, overrides)
  return {
    server: { answer, received },
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
    asked: (): FilterSet[] => received(filterEvacuees).map(({ input }) => input.body),
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
