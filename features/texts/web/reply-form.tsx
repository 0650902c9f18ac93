import { useMutation } from '@tanstack/react-query'
import { Reply } from 'lucide-react'
import { useRef, useState } from 'react'
import type { CallReply } from '#kernel/route.ts'
import { newKey } from '#web/lib/new-key.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { formatClock } from '#web/lib/time/server-clock.ts'
import { call } from '#web/session/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { sendSimulatedReply } from '../calls/simulator.ts'

type Outcome = CallReply<typeof sendSimulatedReply>['outcome']
interface Sent {
  id: string
  text: string
  at: number
  outcome: Outcome
}

/** What became of a reply, in words: the phone itself would learn nothing. */
const words: Record<Outcome, string> = {
  stored: 'Arrived in the thread',
  repeated: 'Arrived in the thread',
  status_set: 'Arrived, and set the status',
  opted_out: 'Arrived: no more texts to this phone',
  opted_in: 'Arrived: texts to this phone again',
  reported: 'Arrived in Reports, from an unknown number',
  unmatched: 'Arrived, but belongs to no one in a running event',
}
const longest = 1600

/** Answers as the person who holds the phone would. */
export function ReplyForm({ mobile }: { mobile: string }) {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<readonly Sent[]>([])
  // made once for each reply: pressed again after a lost answer, it still counts once
  const id = useRef(newKey())
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('POST /api/simulator/replies', { body: { id: id.current, mobile, text } }),
    onSuccess: ({ outcome }) => {
      setSent([{ id: id.current, text, at: Date.now(), outcome }, ...sent])
      id.current = newKey()
      setText('')
    },
  })
  return (
    <section aria-label="Reply" className="grid gap-3">
      <TextArea label="Reply from this phone" rows={2} maxLength={longest} value={text} onChange={setText} />
      <Button icon={Reply} block disabled={text.trim() === ''} busy={isPending} onClick={() => mutate()}>
        Send reply
      </Button>
      {error && <Notice variant="danger">{sentenceFor(error)}</Notice>}
      <div role="log" aria-label="Replies sent" className="grid gap-2">
        {sent.map((one) => (
          <article key={one.id} className="ml-6 rounded-2xl rounded-tr-sm bg-raised p-4">
            <p className="whitespace-pre-line wrap-anywhere">{one.text}</p>
            <p className="mt-1 text-sm text-muted tabular-nums">
              {formatClock(one.at)} · {words[one.outcome]}
            </p>
          </article>
        ))}
      </div>
    </section>
  )
}
