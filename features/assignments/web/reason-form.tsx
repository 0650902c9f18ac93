import type { LucideIcon } from 'lucide-react'
import { type FormEvent, type RefObject, useState } from 'react'
import { longestReason } from '#kernel/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'

interface ReasonFormProps {
  /** What the sending button reads. */
  send: string
  icon: LucideIcon
  busy: boolean
  onSend: (reason: string) => void
  onBack: () => void
  fieldRef?: RefObject<HTMLTextAreaElement | null>
}

/** No going without a word why. */
export function ReasonForm({ send, icon, busy, onSend, onBack, fieldRef }: ReasonFormProps) {
  const [reason, setReason] = useState('')
  const words = reason.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend(words)
  }
  return (
    <form className="grid grid-cols-1 content-start gap-4" onSubmit={submit}>
      <TextArea
        label="Reason"
        placeholder="Please enter a reason"
        value={reason}
        onChange={setReason}
        maxLength={longestReason}
        required
        {...(fieldRef && { ref: fieldRef })}
        hint={
          <span className="ml-auto tabular-nums">
            {reason.length}/{longestReason}
          </span>
        }
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2">
        <Button variant="quiet" className="min-h-16 text-lg" onClick={onBack}>
          Back
        </Button>
        <Button
          type="submit"
          variant="grey"
          icon={icon}
          busy={busy}
          disabled={!words}
          className="min-h-16 px-2 text-lg"
        >
          {send}
        </Button>
      </div>
    </form>
  )
}
