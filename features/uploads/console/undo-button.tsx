import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { UploadUid } from '#kernel/ids.ts'
import { nowQuery, useZone } from '#web/console/me.data.ts'
import { toastFailure } from '#web/console/toast-done.ts'
import { formatDateIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { undo } from './uploads.data.ts'

/** 'Undo' until {date}. Not while an event runs, with the reason beside it. */
export function UndoButton({ uid, until }: { uid: UploadUid; until: string }) {
  const zone = useZone()
  const client = useQueryClient()
  const { data: now } = useQuery(nowQuery)
  const { running, run } = useOneAction<'undo'>()
  const [isAsking, setIsAsking] = useState(false)
  const [event] = now?.events ?? []
  const handleConfirm = () =>
    void run('undo', async () => {
      await undo(uid).catch(toastFailure)
      setIsAsking(false)
      await Promise.all(['uploads', 'upload'].map((key) => client.invalidateQueries({ queryKey: [key] })))
    })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon={Undo2} variant="outline" disabled={event !== undefined} onClick={() => setIsAsking(true)}>
        Undo
      </Button>
      <span className="text-sm text-muted">
        {event
          ? `An event is running at ${event.site}. This can be changed when it has ended.`
          : `until ${formatDateIn(until, zone)}`}
      </span>
      <ConfirmDialog
        open={isAsking}
        title="Undo this?"
        confirm="Undo"
        busy={running !== null}
        onConfirm={handleConfirm}
        onCancel={() => setIsAsking(false)}
      >
        What it added ends, and what it changed or ended is restored. Rows that someone has changed since stay as they
        are. This cannot be undone.
      </ConfirmDialog>
    </div>
  )
}
