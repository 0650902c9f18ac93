import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { ContradictionItem } from '../calls.ts'
import { keepReason } from '../kinds.ts'
import { contradictionsKey, keep } from './accounting.data.ts'

/** 'Keep as it is', with a reason. Of two people the second reads what the first chose. */
export function KeepForm({ item, onKept }: { item: ContradictionItem; onKept: () => void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const { kind, subject, state } = item
  const { mutateAsync, isPending } = useKeyedSend(
    (text: string) => `${kind} ${subject} ${state} ${text}`,
    (text, extras) => keep({ kind, subject, state, reason: text }, extras),
  )
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = reason.trim()
    if (text.length < keepReason.least) return setError(`At least ${keepReason.least} characters.`)
    setError(undefined)
    try {
      const { kept } = await mutateAsync(text)
      toast(kept.own ? 'Kept as it is.' : `${kept.by} kept it: ${kept.reason}`)
      onKept()
    } catch (failed) {
      setError(whyNot(failed))
    }
    await client.invalidateQueries({ queryKey: contradictionsKey })
  }
  return (
    <form className="grid gap-2" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Reason"
        value={reason}
        onChange={setReason}
        maxLength={keepReason.most}
        hint="Hidden until the floor or the person has a newer record."
        error={error}
        autoComplete="off"
      />
      <Button type="submit" variant="quiet" busy={isPending}>
        Keep as it is
      </Button>
    </form>
  )
}

function whyNot(failed: unknown): string {
  const { code, message } = failed instanceof ApiError ? failed : { code: '', message: '' }
  if (code === 'changed_since') return 'Someone else changed this. Read both records again.'
  return code === 'invalid_request' ? message : 'Not saved. Try again.'
}
