import { ApiError } from '#kernel/client/client.ts'
import type { InstructionUid } from '#kernel/ids.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '#web/lib/new-key.ts'
import { createStore } from '#web/lib/store.ts'
import { call } from '#web/session/api.ts'
import { toast, withdrawToast } from '#web/ui/toast.tsx'

const slot = 'understood'
const retryEvery = 5_000

/** Instructions that were pressed 'Understood' on this phone: their sheet is gone, whether or not the server knows. */
export const understoodStore = createStore<ReadonlySet<InstructionUid>>(new Set())

/** Sends until the server knows, or says that it needs no answer. The warden goes on working meanwhile. */
export async function understand(uid: InstructionUid): Promise<void> {
  understoodStore.set(new Set([...understoodStore.get(), uid]))
  const headers = { [idempotencyKeyHeader]: newKey() }
  while (!(await isSent(uid, headers))) {
    toast('Not sent yet. Trying again.', { variant: 'danger', slot, lasts: true })
    await nextTry()
  }
  withdrawToast(slot)
}

async function isSent(uid: InstructionUid, headers: Record<string, string>): Promise<boolean> {
  try {
    await call('POST /api/event/instructions/:uid/understood', { params: { uid } }, { headers })
    return true
  } catch (error) {
    // turned down: off duty, the event has ended, or the floors have changed hands
    return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  }
}

/** After five seconds, or as soon as there is signal. */
const nextTry = () =>
  new Promise<void>((done) => {
    const timer = setTimeout(go, retryEvery)
    window.addEventListener('online', go)
    function go() {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      done()
    }
  })
