import { useState } from 'react'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { checklistAnswers } from '../../kinds.ts'
import type { Body } from '../../standing.ts'
import type { Answer } from '../parts/notes.tsx'
import { AddDialog } from './add-dialog.tsx'

const choices = checklistAnswers.map((answer) => ({ value: answer, label: answer }))

interface AnswerDialogProps {
  item: string
  busy: boolean
  /** True if it was saved. */
  onSave: (body: Body<'checklist'>) => Promise<boolean>
  onClose: () => void
}

export function AnswerDialog({ item, busy, onSave, onClose }: AnswerDialogProps) {
  const [answer, setAnswer] = useState<Answer>('Yes')
  const [text, setText] = useState('')
  const note = text.trim()
  const save = () => onSave({ item, answer, ...(note && { note }) })
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
