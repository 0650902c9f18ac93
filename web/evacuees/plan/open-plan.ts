import { useEffect, useState } from 'react'
import type { PlanReason } from '#features/peeps/kinds.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { useOneAction } from '../../lib/one-action.ts'
import { sentenceFor } from '../../lib/refusal-sentences.ts'
import { call } from '../../session/api.ts'

export interface OpenedPlan {
  assistance: string
  disability?: string
  other?: string
}

/** Minutes that the text stands. */
const minutesShown = 10

/**
 * Opens the plan of one person. The text is in the state of the sheet and in no cache: it goes with the sheet, with the
 * screen, and after 10 minutes. `reason` stays for 'More'.
 */
export function useOpenPlan(personId: PersonUid) {
  const [plan, setPlan] = useState<OpenedPlan | null>(null)
  const [reason, setReason] = useState<PlanReason | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { running, run } = useOneAction<PlanReason | 'more'>()

  useEffect(() => {
    if (!plan) return
    const until = Date.now() + minutesShown * 60_000
    const forget = () => {
      if (Date.now() < until) return
      setPlan(null)
      setReason(null)
    }
    const timer = setTimeout(forget, minutesShown * 60_000)
    // a phone that slept counts, too
    document.addEventListener('visibilitychange', forget)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', forget)
    }
  }, [plan])

  const read = (why: PlanReason, whole: 'yes' | 'no') =>
    run(whole === 'yes' ? 'more' : why, async () => {
      setProblem(null)
      setReason(why)
      try {
        setPlan(
          await call('POST /api/event/plans/:personId/open', { params: { personId }, body: { reason: why, whole } }),
        )
      } catch (error) {
        setProblem(sentenceFor(error))
      }
    })

  return {
    plan,
    problem,
    running,
    open: (why: PlanReason) => void read(why, 'no'),
    more: () => void (reason && read(reason, 'yes')),
  }
}
