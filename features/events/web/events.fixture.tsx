import { beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { browser } from '#web/lib/browser.ts'
import type { StoredAuth } from '#web/session/stored-auth.ts'
import { eventSites, fire, runningFire } from '#web/testing/event-sites.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { listEventSites, listUnaccounted } from '../calls/events.ts'
import { EventManagement } from './event-management.tsx'

/** For each test of a file the event screen with a server of its own; full page loads are only noted. */
export function eventsOnScreen() {
  const server = serverForEachTest()
  beforeEach(() => {
    server.answer(listUnaccounted, nobodyMissing)
    vi.spyOn(browser, 'load').mockImplementation(() => undefined)
  })

  const open = async (sites = eventSites(), auth: Partial<StoredAuth> = {}) => {
    server.answer(listEventSites, sites)
    const screen = await renderScreen(<EventManagement />, { at: '/event/management', auth })
    await expect.element(typeSelect()).toBeVisible()
    return screen
  }
  return {
    server,
    open,
    /** As far as the confirmation of a fire in Tower A. */
    async askToStart(sites = eventSites(), auth: Partial<StoredAuth> = {}) {
      const screen = await open(sites, auth)
      await box('Tower A').click()
      await typeSelect().selectOptions(fire.type)
      await button('Start Event').click()
      return screen
    },
  }
}

/** What the server answers where everyone is accounted for. */
export const nobodyMissing = {
  event: runningFire,
  counts: { safe: 3, unknown: 0, danger: 0, total: 3 },
  calls: 0,
  persons: [],
  pagination: { next_page_url: null, total: 0, from: 0, current_page: 1, total_pages: 0 },
}

export const box = (name: string | RegExp) => page.getByRole('checkbox', { name })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const typeSelect = () => page.getByRole('combobox', { name: 'Event type' })
export const message = () => page.getByRole('textbox', { name: 'Broadcast message' })
export const group = (name: string) => page.getByRole('group', { name })
/** Confirmation or result, by its title. */
export const popup = (title: string) => page.getByRole('alertdialog', { name: title, exact: true })

/** What the server answers to a start or an addition, but for its status. */
export const created = {
  event: runningFire,
  WardenSignInUID: someSignIn,
  on_duty: true,
  event_kind: 'live',
  message: '',
} as const
