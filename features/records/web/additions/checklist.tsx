import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { checklistAnswers } from '../../kinds.ts'
import { AddedBy } from '../parts/added-by.tsx'
import { type Addition, type Body, ofKind } from '../parts/bodies.ts'
import { type Answer, answerLook } from '../parts/note-looks.ts'
import { useAddition } from '../parts/records.data.ts'
import { Adds } from '../parts/warden-or-console.tsx'
import { AddDialog } from './add-dialog.tsx'
import { AddedList, type AdditionsProps } from './added.tsx'

type Item = Body<'checklist'>['item']

interface ChecklistProps extends AdditionsProps {
  event: EventUid
  /** The items that are asked now. */
  asked: readonly Item[]
}

/** Answers of several observers to one item all stand. */
export function Checklist({ event, asked: items, additions, times }: ChecklistProps) {
  const [asked, setAsked] = useState<Item | null>(null)
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
                  <Given answer={answer} />
                  <AddedBy addition={answer} times={times} />
                </>
              )}
            </AddedList>
          </li>
        ))}
      </ul>
      {asked && <AnswerDialog event={event} item={asked} onClose={() => setAsked(null)} />}
    </details>
  )
}

function Given({ answer: { body } }: { answer: Addition<'checklist'> }) {
  const { icon: Icon, ink } = answerLook[body.answer]
  return (
    <p className="flex items-center gap-1.5">
      <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
      <strong>{body.answer}</strong>
      {body.note && <span className="min-w-0 wrap-anywhere">{body.note}</span>}
    </p>
  )
}

const choices = checklistAnswers.map((answer) => ({ value: answer, label: answer }))

function AnswerDialog({ event, item, onClose }: { event: EventUid; item: Item; onClose: () => void }) {
  const [answer, setAnswer] = useState<Answer>('Yes')
  const [text, setText] = useState('')
  const { add, busy } = useAddition(event)
  const note = text.trim()
  const save = () =>
    add({ kind: 'checklist', body: { item, answer, ...(note && { note }) } }, 'The answer has been added.')
  return (
    <AddDialog title={item} busy={busy} problem={null} onSave={save} onClose={onClose}>
      {() => (
        <>
          <ToggleChoice legend="Answer" options={choices} value={answer} onChange={setAnswer} />
          <TextField label="Note" value={text} maxLength={1000} onChange={setText} />
        </>
      )}
    </AddDialog>
  )
}
