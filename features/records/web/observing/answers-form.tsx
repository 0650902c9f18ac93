import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { Noting } from '../../calls/observing.ts'
import { AnswerDialog } from '../additions/answer-dialog.tsx'
import type { Keep } from './note-form.tsx'
import type { OwnNote } from './own-notes.tsx'

interface AnswersFormProps {
  checklist: Noting['checklist']
  notes: readonly OwnNote[]
  onKeep: Keep
}

/** The items, with what this one has answered last. */
export function AnswersForm({ checklist, notes, onKeep }: AnswersFormProps) {
  const [asked, setAsked] = useState<string | null>(null)
  const answerOf = (item: string) => notes.findLast(({ note }) => note.kind === 'checklist' && note.body.item === item)
  const done = checklist.filter(answerOf).length
  return (
    <details className="card">
      <summary className="flex min-h-12 items-center gap-2 font-semibold">
        <ListChecks aria-hidden size={20} className="shrink-0 text-link" />
        Checklist, {done} of {checklist.length} answered
      </summary>
      <ul aria-label="Checklist" className="grid grid-cols-1">
        {checklist.map((item) => {
          const answer = answerOf(item)?.note
          return (
            <li key={item} className="flex flex-wrap items-center justify-between gap-2 border-b border-hairline py-2">
              <span className="min-w-0">
                <span className="font-semibold">{item}</span>
                {answer?.kind === 'checklist' && <span className="block text-muted">{answer.body.answer}</span>}
              </span>
              <Button
                variant="outline"
                className="rec-small shrink-0"
                aria-label={`Answer: ${item}`}
                onClick={() => setAsked(item)}
              >
                Answer
              </Button>
            </li>
          )
        })}
      </ul>
      {asked !== null && (
        <AnswerDialog
          item={asked}
          busy={false}
          onSave={(body) => onKeep({ kind: 'checklist', body }).then(() => true)}
          onClose={() => setAsked(null)}
        />
      )}
    </details>
  )
}
