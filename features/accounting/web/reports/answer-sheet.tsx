import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { SelfReport } from '#features/self-report/calls.ts'
import { reportLimits } from '#features/self-report/kinds.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { DrillMark, placeOf } from './report-card.tsx'

interface AnswerSheetProps {
  report: SelfReport | null
  isBusy: boolean
  /** Why it was not saved. */
  error: string | undefined
  onAnswered: (report: SelfReport, who: string) => void
  onClose: () => void
}

/** 'Answered', with who goes. */
export function AnswerSheet({ report, onClose, ...form }: AnswerSheetProps) {
  return (
    <BottomSheet open={report !== null} onClose={onClose} title="Who is going?">
      {report && <AnswerForm key={report.uid} report={report} {...form} />}
    </BottomSheet>
  )
}

function AnswerForm({
  report,
  isBusy,
  error,
  onAnswered,
}: Omit<AnswerSheetProps, 'report' | 'onClose'> & { report: SelfReport }) {
  const [who, setWho] = useState('')
  const [missing, setMissing] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (who.trim() === '') return setMissing('Enter who is going.')
    if (!isBusy) onAnswered(report, who.trim())
  }
  return (
    <form className="grid gap-3" noValidate onSubmit={submit}>
      <p className="font-semibold wrap-anywhere">
        {report.in_drill && (
          <>
            <DrillMark />{' '}
          </>
        )}
        {placeOf(report)}
      </p>
      {report.words && (
        <p className="wrap-anywhere">
          “<bdi>{report.words}</bdi>”
        </p>
      )}
      <TextField
        label="Who is going there"
        data-autofocus
        value={who}
        maxLength={reportLimits.who}
        error={missing ?? error}
        autoComplete="off"
        onChange={(next) => {
          setWho(next)
          setMissing(undefined)
        }}
      />
      <Button type="submit" icon={Check} busy={isBusy} block>
        Answered
      </Button>
    </form>
  )
}
