import { useQueryClient } from '@tanstack/react-query'
import { Lock, LockOpen } from 'lucide-react'
import { formatCount } from '#web/lib/counts.ts'
import { call } from '#web/session/api.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type ReportsPage, reportsKey } from './reports.data.ts'

/** Ends a flood of texts. Calls for help are taken all the same. */
export function UnknownTexts({ page: { reports, texts_open, more_numbers } }: { page: ReportsPage }) {
  const client = useQueryClient()
  const auth = useAuth()
  const manages = auth?.on_duty === true && auth.module_access.Module_Event_Management
  const send = useKeyedSend(JSON.stringify, (body: { open: 'yes' | 'no' }, extras) =>
    call('POST /api/event/reports/texts', { body }, extras),
  )
  const turn = async () => {
    try {
      const { open } = await send.mutateAsync({ open: texts_open ? 'no' : 'yes' })
      toast(open ? 'Texts from unknown numbers are open.' : 'Texts from unknown numbers are closed.', {
        variant: 'success',
      })
    } catch {
      toast('Not saved. Try again.', { variant: 'danger' })
    }
    await client.invalidateQueries({ queryKey: reportsKey })
  }
  const hasUnknown = reports.some(({ way, name }) => way === 'text' && name === null)
  return (
    <>
      {!texts_open && (
        <Notice variant="warning">Texts from unknown numbers are closed. Calls for help still come in.</Notice>
      )}
      {more_numbers > 0 && <p className="font-semibold">{`+ ${formatCount(more_numbers)} more numbers`}</p>}
      {manages && (hasUnknown || !texts_open) && (
        <Button
          variant="outline"
          icon={texts_open ? Lock : LockOpen}
          className="wide:justify-self-start"
          busy={send.isPending}
          onClick={() => void turn()}
        >
          {texts_open ? 'Close texts from unknown numbers' : 'Open texts from unknown numbers'}
        </Button>
      )}
    </>
  )
}
