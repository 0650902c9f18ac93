import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { ofKind } from '../../standing.ts'
import { AddedBy } from '../parts/added-by.tsx'
import { Given } from '../parts/notes.tsx'
import { useAddition } from '../parts/records.data.ts'
import { Adds } from '../parts/warden-or-console.tsx'
import { AddedList, type AdditionsProps } from './added.tsx'
import { AnswerDialog } from './answer-dialog.tsx'

interface ChecklistProps extends AdditionsProps {
  event: EventUid
  /** The items that are asked now. */
  asked: readonly string[]
}

/** Answers of several observers to one item all stand. */
export function Checklist({ event, asked: items, additions, times }: ChecklistProps) {
  const [asked, setAsked] = useState<string | null>(null)
  const { add, busy } = useAddition(event)
  const answers = ofKind(additions, 'checklist')
  const answered = new Set(answers.map(({ body }) => body.item))
  // what was asked then stays on the record
  const shown = [...new Set([...items, ...answered])]
  return (
    <details className="border-t border-hairline pt-2">
      <summary className="flex min-h-12 items-center gap-2 font-semibold">
        <ListChecks aria-hidden size={20} className="shrink-0 text-link" />
        Checklist, {answered.size} of {shown.length} answered
      </summary>
      <ul aria-label="Checklist" className="grid grid-cols-1">
        {shown.map((item) => (
          <li key={item} className="grid grid-cols-1 gap-1 border-b border-hairline py-2">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span className="min-w-0 font-semibold">{item}</span>
              <Adds>
                <Button
                  variant="outline"
                  className="rec-small shrink-0"
                  aria-label={`Answer: ${item}`}
                  onClick={() => setAsked(item)}
                >
                  Answer
                </Button>
              </Adds>
            </div>
            <AddedList
              label={`Answers: ${item}`}
              of={answers.filter(({ body }) => body.item === item)}
              additions={additions}
            >
              {(answer) => (
                <>
                  <Given body={answer.body} />
                  <AddedBy addition={answer} times={times} />
                </>
              )}
            </AddedList>
          </li>
        ))}
      </ul>
      {asked && (
        <AnswerDialog
          item={asked}
          busy={busy}
          onSave={(body) => add({ kind: 'checklist', body }, 'The answer has been added.')}
          onClose={() => setAsked(null)}
        />
      )}
    </details>
  )
}
