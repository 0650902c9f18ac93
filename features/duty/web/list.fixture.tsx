import { beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listOwnSignInChanges } from '#features/authority/calls.ts'
import { pollEvent } from '#features/live-updates/calls/realtime.ts'
import { rejoin } from '#features/sign-in/calls/sign-in.ts'
import { browser } from '#web/lib/browser.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { authReply, flags, noFlags } from '#web/testing/stored-auth.ts'
import { listReportInCards, markNotAvailable, markOnDuty, type ReportInCard } from '../calls/report-in.ts'
import { ReportInListScreen } from './report-in-list-screen.tsx'

/** For each test of a file a server on which every card action succeeds. `steps` lists what was done, page loads included. */
export function listServer() {
  const steps: string[] = []
  const server = serverForEachTest()
  beforeEach(() => {
    steps.length = 0
    vi.spyOn(browser, 'load').mockImplementation((path) => void steps.push(`load ${path}`))
    server.answer(rejoin, () => {
      steps.push('rejoin')
      return authReply({ access_token: 'token-2', on_duty: false, module_access: flags('Module_Event_Management') })
    })
    server.answer(markOnDuty, () => {
      steps.push('on duty')
      return { status: 'On Duty' as const, message: 'You have been reported as on duty.' }
    })
    server.answer(pollEvent, { status: 'no_event', message: null })
    server.answer(listOwnSignInChanges, { changes: [], contact: 'Harbour Property Group' })
    server.answer(markNotAvailable, { status: 'Not Available', message: 'You have been reported as not available.' })
  })

  return {
    ...server,
    steps,
    /** How often the list has been read. */
    reads: () => server.received(listReportInCards).length,
    /** The list with these cards, which the server answers until told otherwise. */
    async show(...cards: ReportInCard[]) {
      server.answer(listReportInCards, cards)
      const auth = { on_duty: false, module_access: noFlags }
      const screen = await renderScreen(<ReportInListScreen />, { at: '/reportinlist', auth })
      await expect.element(page.getByRole('article').first()).toBeVisible()
      return screen
    },
  }
}

export const press = (name: string) => page.getByRole('button', { name }).click()
/** Waits until no action runs any more. */
export const idle = () => expect.poll(() => document.querySelector('article [aria-busy]')).toBeNull()
