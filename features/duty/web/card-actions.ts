import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { browser } from '#web/lib/browser.ts'
import { leaving, type OneAction } from '#web/lib/one-action.ts'
import { errorTitle } from '#web/lib/report-texts.ts'
import { navigate } from '#web/pages/navigate.ts'
import type { ReportInCard } from '../calls/report-in.ts'
import type { CardAction, CardButton } from './card-buttons.ts'
import { goOnDuty, keepDetails, readAgain, rejoinAs, reportNotAvailable } from './report-in-list.data.ts'

/** What the list says after an action: the warn alert, or an info popup. */
export type ListNotice = { kind: 'not-available' } | { kind: 'turned-down'; title: string; message: string }

/** What the buttons of the shown cards do; a running action is named by its card's uid and the button's place. */
export function useCardActions(shown: readonly ReportInCard[], { run }: OneAction<string>) {
  const queryClient = useQueryClient()
  const [notice, setNotice] = useState<ListNotice | null>(null)

  const tellWhyNot = (refusal: { error: string; message: string }) =>
    setNotice({ kind: 'turned-down', title: errorTitle(refusal.error), message: refusal.message })

  const load = (path: string) => {
    browser.load(path)
    return leaving
  }

  const perform: Record<CardAction, (card: ReportInCard) => Promise<unknown>> = {
    async 'report-in'(card) {
      await rejoinAs(card)
      navigate('/reportin')
    },
    async rejoin(card) {
      await rejoinAs(card)
      const refusal = await goOnDuty(card)
      return refusal ? tellWhyNot(refusal) : load('/me/role')
    },
    async 'not-available'(card) {
      const refusal = await reportNotAvailable(card)
      if (refusal) tellWhyNot(refusal)
      else setNotice({ kind: 'not-available' })
    },
    async 'event-management'(card) {
      await rejoinAs(card)
      return load('/event/management')
    },
    async 'start-event'(card) {
      await rejoinAs(card)
      return load('/event/management')
    },
    review: async (card) => navigate(`/warden-assignment/${card.Warden_Assignment_UID}`),
    withdraw: async (card) => navigate(`/withdraw/${card.Warden_Assignment_UID}`),
    documents: async (card) => navigate(`/documents/${card.Warden_Assignment_UID}`),
  }

  const press = (card: ReportInCard, { place, action }: CardButton) => {
    if (!action) return
    void run(`${card.Warden_Assignment_UID}/${place}`, async () => {
      const fresh = await readAgain(queryClient, shown, card)
      if (!fresh) return
      keepDetails(fresh)
      return perform[action](fresh)
    })
  }
  return { press, notice, closeNotice: () => setNotice(null) }
}
