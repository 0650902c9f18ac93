import { useState } from 'react'
import type { ReportPerson, SelfReport } from '#features/self-report/calls.ts'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Moment } from '../source-line.tsx'
import { AnswerSheet } from './answer-sheet.tsx'
import { OpenReport } from './open-report.tsx'
import { PersonSheet } from './person-sheet.tsx'
import { placeOf } from './report-card.tsx'
import type { Act } from './reports.data.ts'
import { useHandle } from './use-handle.ts'

interface Sheet {
  kind: 'answer' | 'person' | 'false'
  report: SelfReport
}

interface OpenReportsProps {
  reports: readonly SelfReport[]
  /** The uid of the call that is answered at once: the board has led to it. */
  opened: string | null
  moment: Moment
}

/** The open reports, and the sheets by which they are handled: one of each for the whole list. */
export function OpenReports({ reports, opened, moment }: OpenReportsProps) {
  const { act, busy } = useHandle()
  const led = reports.find(({ uid, says }) => uid === opened && says === 'help')
  const [sheet, setSheet] = useState<Sheet | null>(led ? { kind: 'answer', report: led } : null)
  const [error, setError] = useState<string>()
  const show = (kind: Sheet['kind'], report: SelfReport) => {
    setError(undefined)
    setSheet({ kind, report })
  }
  const close = () => setSheet(null)
  const of = (kind: Sheet['kind']) => (sheet?.kind === kind ? sheet.report : null)
  const isFalse = of('false')
  /** From a sheet, which stays with what was typed and the reason until it is saved: a toast would cover its button. */
  const finish = async (report: SelfReport, done: Act) => {
    const failed = await act(report, done)
    setError(failed)
    if (failed === undefined) close()
  }
  const actAtOnce = async (report: SelfReport, done: Act) => {
    const failed = await act(report, done)
    if (failed !== undefined) toast(failed, { variant: 'danger' })
  }
  const choose = (report: SelfReport, person: ReportPerson) => void finish(report, { act: 'accept', person: person.id })
  return (
    <>
      <ul
        // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
        role="list"
        aria-label="Open reports"
        className="cards gap-2"
      >
        {reports.map((report) => (
          <li key={report.uid}>
            <OpenReport
              report={report}
              moment={moment}
              isBusy={busy === report.uid}
              act={(of, done) => void actAtOnce(of, done)}
              onAnswer={() => show('answer', report)}
              onPerson={() => show('person', report)}
              onFalse={() => show('false', report)}
            />
          </li>
        ))}
      </ul>
      <AnswerSheet
        report={of('answer')}
        error={error}
        isBusy={busy !== undefined}
        onAnswered={(report, who) => void finish(report, { act: 'answered', who })}
        onClose={close}
      />
      <PersonSheet report={of('person')} error={error} onChoose={choose} onClose={close} />
      <ConfirmDialog
        open={isFalse !== null}
        title="Mark this call as a false alarm?"
        confirm="False alarm"
        busy={busy !== undefined}
        onConfirm={() => isFalse && void finish(isFalse, { act: 'false' })}
        onCancel={close}
      >
        {error && <Notice variant="danger">{error}</Notice>}
        <p className="wrap-anywhere">
          {isFalse?.in_drill && 'Drill. '}
          {isFalse && placeOf(isFalse)}. It is removed from every board.
        </p>
      </ConfirmDialog>
    </>
  )
}
