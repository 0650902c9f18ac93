import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { newKey } from '#web/lib/new-key.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { EventSites } from '../calls/events.ts'
import { acceptText, defaultText } from './broadcast-text.ts'
import { eventSitesQuery, type MadeLive, makeLive } from './events.data.ts'

/** What 'Make it live' would send, and what is said before. */
export interface AskedLive extends MadeLive {
  /** Why it is asked. */
  why?: string
}

/** The question for a drill, with the message that follows 'THIS IS NOT A DRILL. '. */
export const askLive = (event: EventUid, message: string, why?: string): AskedLive => ({
  event,
  message: defaultText(`THIS IS NOT A DRILL. ${message}`),
  key: newKey(),
  ...(why && { why }),
})

interface MakeLiveProps {
  event: EventUid
  /** The message of the event's type. */
  typeMessage: string
  /** Said before: it becomes live also where this manager manages nothing. */
  why?: string
}

/** Turns the drill into a live event, with a message to everyone. */
export function MakeLive({ event, typeMessage, why }: MakeLiveProps) {
  const [asked, setAsked] = useState<AskedLive | null>(null)
  return (
    <>
      <Button
        variant="red"
        icon={TriangleAlert}
        block
        className="mt-3"
        onClick={() => setAsked(askLive(event, typeMessage, why))}
      >
        This is not a drill
      </Button>
      <MakeLiveDialog asked={asked} onChange={setAsked} />
    </>
  )
}

interface MakeLiveDialogProps {
  /** Null while nothing is asked. */
  asked: AskedLive | null
  onChange: (asked: AskedLive | null) => void
}

/** Asks before the drill becomes live; closed by the answer. */
export function MakeLiveDialog({ asked, onChange }: MakeLiveDialogProps) {
  const queryClient = useQueryClient()
  const send = useMutation({
    mutationFn: makeLive,
    onSuccess: () => {
      onChange(null)
      return queryClient.invalidateQueries({ queryKey: eventSitesQuery.queryKey })
    },
    onError: (error) => toast(sentenceFor(error), { variant: 'danger' }),
  })
  return (
    <ConfirmDialog
      open={asked !== null}
      title="Make this a live event?"
      confirm="Make it live"
      busy={send.isPending || asked?.message.trim() === ''}
      onConfirm={() => asked && send.mutate(asked)}
      onCancel={() => onChange(null)}
    >
      <div className="grid gap-3">
        {asked?.why && <p className="font-bold">{asked.why}</p>}
        <p>Everyone is set back to unknown and told that this is not a drill.</p>
        {asked && (
          <TextArea
            label="Broadcast message"
            rows={4}
            value={asked.message}
            onChange={(text) => onChange({ ...asked, message: acceptText(asked.message, text), key: newKey() })}
            hint={
              <span className="ml-auto tabular-nums">
                {asked.message.length}/{limits.messageLength}
              </span>
            }
          />
        )}
      </div>
    </ConfirmDialog>
  )
}

type Live = NonNullable<NonNullable<EventSites['data']['activeEvent']>['live']>

export function LiveSeen({ seen, wardens, not_seen }: Live) {
  return (
    <div role="status" className="mt-1">
      <p className="font-semibold">
        Seen by {seen} of {wardens} wardens on duty
      </p>
      {not_seen.length > 0 && <p className="text-muted">Not seen: {not_seen.join(', ')}</p>}
    </div>
  )
}
