import type { QueryClient } from '@tanstack/react-query'
import { reportLimits } from '#features/self-report/kinds.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { formatCount } from '#web/lib/counts.ts'
import { newKey } from '#web/lib/new-key.ts'
import { createStore } from '#web/lib/store.ts'
import { call } from '#web/session/api.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { toast, withdrawToast } from '#web/ui/toast.tsx'
import { reportsKey } from './reports.data.ts'

interface Waiting {
  /** How many the warden saw. */
  count: number
  upTo: SelfReportUid
  network: string | undefined
}

const slot = 'accept-all'
/** What waits to be accepted. Anyone who leaves the list meanwhile has pressed all the same. */
export const waitingStore = createStore<Waiting | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

/** Waits 10 s for 'Undo', then accepts what was there when it was pressed. */
export function acceptAll(client: QueryClient, waiting: Waiting) {
  const by = getAuth()?.WardenSignInUID
  waitingStore.set(waiting)
  clearTimeout(timer)
  timer = setTimeout(() => {
    waitingStore.set(null)
    // a phone that another warden has taken over records nothing in that one's name
    if (getAuth()?.WardenSignInUID === by) void send(client, waiting)
  }, reportLimits.undoMs)
  toast(`Accepting ${formatCount(waiting.count)}.`, {
    slot,
    delay: reportLimits.undoMs,
    action: { label: 'Undo', onAct: undoAcceptAll },
  })
}

export function undoAcceptAll() {
  clearTimeout(timer)
  waitingStore.set(null)
  withdrawToast(slot)
}

async function send(client: QueryClient, { upTo, network }: Waiting) {
  try {
    const { accepted, left } = await call(
      'POST /api/event/reports/accept',
      { body: { upTo, ...(network && { network }) } },
      { headers: { [idempotencyKeyHeader]: newKey() } },
    )
    toast(`Recorded: ${formatCount(accepted)}.${left > 0 ? ` ${formatCount(left)} left.` : ''}`, {
      slot,
      variant: 'success',
    })
  } catch {
    toast('Not saved. Try again.', { slot, variant: 'danger' })
  }
  await client.invalidateQueries({ queryKey: reportsKey })
  await client.invalidateQueries({ queryKey: ['evacuee'] })
}
