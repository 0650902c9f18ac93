import { useQueryClient } from '@tanstack/react-query'
import { Lock, LockOpen } from 'lucide-react'
import { ApiError } from '#kernel/client/client.ts'
import { call } from '#web/session/api.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { posterQuery, type SitePoster } from './poster.data.ts'

/** Ends a flood of reports by poster. Who is on duty in the event does so. */
export function PageSwitch({ poster: { open, site }, hasEvent }: { poster: SitePoster; hasEvent: boolean }) {
  const client = useQueryClient()
  const isOnDuty = useAuth()?.on_duty === true
  const send = useKeyedSend(JSON.stringify, (body: { open: 'yes' | 'no' }, extras) =>
    call('POST /api/event/reports/page', { body }, extras),
  )
  const turn = async () => {
    try {
      const now = await send.mutateAsync({ open: open ? 'no' : 'yes' })
      client.setQueryData(posterQuery(site.id).queryKey, (known) => known && { ...known, open: now.open })
      toast(now.open ? 'The poster page is open.' : 'The poster page is closed.', { variant: 'success' })
    } catch (error) {
      const isOver = error instanceof ApiError && (error.code === 'no_event' || error.code === 'not_on_duty')
      toast(isOver ? 'Only someone on duty in an event can do this.' : 'Not saved. Try again.', { variant: 'danger' })
    }
    await client.invalidateQueries({ queryKey: posterQuery(site.id).queryKey })
  }
  return (
    <>
      {!open && <Notice variant="warning">The poster page is closed. Personal links keep working.</Notice>}
      {hasEvent && isOnDuty && (
        <Button variant="outline" icon={open ? Lock : LockOpen} block busy={send.isPending} onClick={() => void turn()}>
          {open ? 'Close the poster page' : 'Open the poster page'}
        </Button>
      )}
    </>
  )
}
