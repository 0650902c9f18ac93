import { useState } from 'react'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '../../lib/new-key.ts'
import { useStore } from '../../lib/store.ts'
import { formatClock } from '../../lib/time/server-clock.ts'
import { call } from '../../session/api.ts'
import { madeLiveStore } from '../../session/event-notices.ts'
import { Button } from '../../ui/button.tsx'
import { NotRecorded } from '../../ui/not-recorded.tsx'
import { Dialog, DialogFoot } from '../../ui/popups/dialog.tsx'

const stay = () => undefined

/** Stays until the server knows that the warden has read it. */
export function MadeLive() {
  const made = useStore(madeLiveStore)
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  const understand = async () => {
    if (!made) return
    setState('sending')
    try {
      const headers = { [idempotencyKeyHeader]: newKey() }
      await call('POST /api/event/live/seen', { body: { event: made.event } }, { headers })
      madeLiveStore.set(null)
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  return (
    <Dialog open={made !== null} onClose={stay} title="This is not a drill" alert blocking>
      <p className="text-lg">
        The drill became a live event at {made && formatClock(new Date(made.at)).slice(0, 5)}. Everyone is set back to
        unknown. Record what you see now.
      </p>
      <NotRecorded shown={state === 'failed'} />
      <DialogFoot>
        <Button variant="red" block data-autofocus busy={state === 'sending'} onClick={() => void understand()}>
          I understand
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
