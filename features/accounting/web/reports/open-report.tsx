import { Check, CircleAlert } from 'lucide-react'
import type { SelfReport } from '#features/self-report/calls.ts'
import { Button } from '#web/ui/button.tsx'
import type { Moment } from '../source-line.tsx'
import { Proposed, ReportCard, titleOf } from './report-card.tsx'
import type { Act } from './reports.data.ts'

export interface ReportActs {
  act: (report: SelfReport, act: Act) => void
  /** The sheets: who goes, whom it is of, is it false? */
  onAnswer: (report: SelfReport) => void
  onPerson: (report: SelfReport) => void
  onFalse: (report: SelfReport) => void
}
interface OpenReportProps extends ReportActs {
  report: SelfReport
  moment: Moment
  isBusy: boolean
}

/** A report that waits for a warden. */
export function OpenReport({ report, moment, isBusy, ...acts }: OpenReportProps) {
  const { person, says } = report
  return (
    <ReportCard report={report} moment={moment}>
      {person && says !== 'words' && <Proposed person={person} />}
      <div className="flex flex-wrap gap-2 *:grow *:px-2.5">
        {says === 'help' && <HelpActs report={report} isBusy={isBusy} {...acts} />}
        {says === 'safe' && <SafeActs report={report} isBusy={isBusy} {...acts} />}
        {says === 'words' && <Dismiss report={report} isBusy={isBusy} {...acts} />}
      </div>
    </ReportCard>
  )
}

type ActsProps = ReportActs & { report: SelfReport; isBusy: boolean }
/** Buttons of many cards have the same words. */
const named = (words: string, report: SelfReport) => ({ 'aria-label': `${words}: ${titleOf(report)}` })

function SafeActs({ report, isBusy, act, onPerson }: ActsProps) {
  return (
    <>
      {report.person && (
        <Button busy={isBusy} {...named('Accept', report)} onClick={() => act(report, { act: 'accept' })}>
          Accept
        </Button>
      )}
      <Button variant="outline" {...named('Other person', report)} onClick={() => onPerson(report)}>
        Other person
      </Button>
      <Dismiss report={report} isBusy={isBusy && !report.person} act={act} />
    </>
  )
}

function Dismiss({ report, isBusy, act }: Pick<ActsProps, 'report' | 'isBusy' | 'act'>) {
  return (
    <Button
      variant="outline"
      busy={isBusy}
      {...named('Dismiss', report)}
      onClick={() => act(report, { act: 'dismiss' })}
    >
      Dismiss
    </Button>
  )
}

function HelpActs({ report, isBusy, act, onAnswer, onPerson, onFalse }: ActsProps) {
  const other = report.person ? 'Other person' : 'Record a person'
  return (
    <>
      <Button icon={Check} {...named('Answered', report)} onClick={() => onAnswer(report)}>
        Answered
      </Button>
      {report.person && (
        <Button
          variant="red"
          icon={CircleAlert}
          busy={isBusy}
          {...named('In danger', report)}
          onClick={() => act(report, { act: 'accept' })}
        >
          In danger
        </Button>
      )}
      <Button variant="outline" {...named(other, report)} onClick={() => onPerson(report)}>
        {other}
      </Button>
      <Button variant="outline" {...named('False alarm', report)} onClick={() => onFalse(report)}>
        False alarm
      </Button>
    </>
  )
}
