import type { SelfReport } from '#features/self-report/calls.ts'
import type { ReportState } from '#features/self-report/kinds.ts'
import { Age, type Moment } from '../source-line.tsx'
import { ReportCard } from './report-card.tsx'

const words: Record<ReportState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
  answered: 'Answered',
  false: 'False alarm',
}

/** What was done, by whom. */
export function HandledReport({ report, moment }: { report: SelfReport; moment: Moment }) {
  const { state, person, handled, says } = report
  const recorded = person && `${person.name} recorded as ${says === 'help' ? 'in danger' : 'safe'}`
  return (
    <ReportCard report={report} moment={moment}>
      <p className="border-t border-hairline pt-2 wrap-anywhere">
        <strong>
          {handled ? words[state] : 'Recorded automatically'}
          {state === 'accepted' && recorded && `: ${recorded}`}
        </strong>
        {handled?.who && (
          <>
            : <bdi>{handled.who}</bdi>
          </>
        )}
        {handled && (
          <span className="block text-muted">
            by {handled.by}
            <Age at={handled.at} moment={moment} />
          </span>
        )}
      </p>
    </ReportCard>
  )
}
