import type { QueryClient } from '@tanstack/react-query'
import { type noFloor, reportLimits } from '#features/self-report/kinds.ts'
import type { BuildingUid, FloorUid, SelfReportUid } from '#kernel/ids.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { formatCount } from '#web/lib/counts.ts'
import { newKey } from '#web/lib/new-key.ts'
import { createStore } from '#web/lib/store.ts'
import { call } from '#web/session/api.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { toast, withdrawToast } from '#web/ui/toast.tsx'
import { reportsKey } from './reports.data.ts'

/** Of one network, of one place, or of all that stand in no group. */
export interface Where {
  network?: string | undefined
  floor?: FloorUid | BuildingUid | typeof noFloor | undefined
}

export interface WaitingAct extends Where {
  act: 'accept' | 'dismiss'
  /** How many the warden saw. */
  count: number
  /** The newest that the warden saw. Null: there was none. */
  upTo: SelfReportUid | null
  /** Of 'dismiss'. */
  calls?: 'keep' | 'false'
  more?: number
}

const slot = 'reports'
const key = () => ({ headers: { [idempotencyKeyHeader]: newKey() } })
const doing = { accept: 'Accepting', dismiss: 'Dismissing' } as const

/** What waits to be sent. Anyone who leaves the list meanwhile has pressed all the same. */
export const waitingStore = createStore<WaitingAct | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined
let sendWaiting: (() => void) | undefined

export const isWaitingFor = (waiting: WaitingAct | null, { network, floor }: Where): waiting is WaitingAct =>
  waiting !== null && waiting.network === network && waiting.floor === floor
export const undoWords = ({ act, count }: WaitingAct) => `Undo: ${doing[act].toLowerCase()} ${formatCount(count)}`

/** Waits 10 s for 'Undo', then handles what was there when it was pressed. What waited before is sent at once. */
export function waitToHandle(client: QueryClient, waiting: WaitingAct) {
  const by = getAuth()?.WardenSignInUID
  sendWaiting?.()
  waitingStore.set(waiting)
  sendWaiting = () => {
    clearTimeout(timer)
    sendWaiting = undefined
    waitingStore.set(null)
    // a phone that another warden has taken over records nothing in that one's name
    if (getAuth()?.WardenSignInUID === by) void send(client, waiting)
  }
  timer = setTimeout(sendWaiting, reportLimits.undoMs)
  toast(`${doing[waiting.act]} ${formatCount(waiting.count)}.`, {
    slot,
    delay: reportLimits.undoMs,
    action: { label: 'Undo', onAct: undoWaiting },
  })
}

export function undoWaiting() {
  clearTimeout(timer)
  sendWaiting = undefined
  waitingStore.set(null)
  withdrawToast(slot)
}

async function send(client: QueryClient, waiting: WaitingAct) {
  try {
    const done = waiting.act === 'accept' ? await accept(waiting) : await dismiss(waiting)
    toast(done, { slot, variant: 'success' })
  } catch {
    toast('Not saved. Try again.', { slot, variant: 'danger' })
  }
  await client.invalidateQueries({ queryKey: reportsKey })
  await client.invalidateQueries({ queryKey: ['evacuee'] })
}

const bodyOf = ({ upTo, network, floor }: WaitingAct) => ({
  ...(upTo && { upTo }),
  ...(network && { network }),
  ...(floor && { floor }),
})

async function accept(waiting: WaitingAct): Promise<string> {
  const body = { ...bodyOf(waiting), upTo: waiting.upTo as SelfReportUid }
  const { accepted, left } = await call('POST /api/event/reports/accept', { body }, key())
  return `Recorded: ${formatCount(accepted)}.${left > 0 ? ` ${formatCount(left)} left.` : ''}`
}

/** A flood is more than one request takes. */
async function dismiss({ calls = 'keep', more, ...waiting }: WaitingAct): Promise<string> {
  let [count, isMore] = [more ?? 0, true]
  for (let nth = 0; isMore; nth++) {
    const body = { ...bodyOf(waiting), calls, ...(nth === 0 && more && { more }) }
    const { dismissed, left } = await call('POST /api/event/reports/dismiss', { body }, key())
    count += dismissed
    isMore = left > 0 && dismissed > 0
  }
  return `Dismissed: ${formatCount(count)}.`
}
