import { LogIn, LogOut, type LucideIcon, Megaphone, X } from 'lucide-react'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { Button, type ButtonVariant } from '#web/ui/button.tsx'
import { NotRecorded } from '#web/ui/not-recorded.tsx'
import type { ReportData, SignInRecord } from '../calls/report-in.ts'

export type ReportAction = 'report-in' | 'not-available' | 'manage-event' | 'sign-out'

/** Green, yellow, red, orange. No tick before it is done. */
const looks: Record<ReportAction, { text: string; icon: LucideIcon; variant: ButtonVariant }> = {
  'report-in': { text: 'Report In', icon: LogIn, variant: 'green' },
  'not-available': { text: 'Not Avail', icon: X, variant: 'yellow' },
  'manage-event': { text: 'Manage Event', icon: Megaphone, variant: 'red' },
  'sign-out': { text: 'Sign Out', icon: LogOut, variant: 'orange' },
}

/** Until the sign-in log has answered, only what does not depend on it. */
export function visibleActions(report: ReportData['data'], record: SignInRecord | undefined): ReportAction[] {
  const { active_event: eventRuns, role } = report
  // Who has not accepted the assignment yet has no place in the event that runs.
  const inEvent = eventRuns && record?.event_uid !== null
  const canReport = record && inEvent && !record.on_duty
  const canLeave = record && !inEvent && !record.reported_in && !record.on_duty && !record.not_available
  return [
    ...(canReport ? (['report-in', 'not-available'] as const) : []),
    ...(role.Module_Event_Management ? (['manage-event'] as const) : []),
    ...(canLeave ? (['sign-out'] as const) : []),
  ]
}

interface ReportButtonsProps {
  report: ReportData['data']
  record: SignInRecord | undefined
  running: ReportAction | null
  failed: ReportAction | null
  onPress: (action: ReportAction) => void
}

/** Fixed there only where enough of the page is left to read, also with large text; it covers the page's own margin. */
const foot =
  'pin-bottom fade-above -mx-3 -mb-8 grid grid-cols-1 gap-2 self-end bg-canvas px-3 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))]'

/** At the foot of the screen, within the thumb's reach. */
export function ReportButtons({ report, record, running, failed, onPress }: ReportButtonsProps) {
  const [first, ...others] = visibleActions(report, record)
  const draw = (action: ReportAction, className: string) => {
    const { text, icon, variant } = looks[action]
    return (
      <Button
        key={action}
        icon={icon}
        variant={variant}
        busy={running === action}
        className={className}
        onClick={() => onPress(action)}
      >
        {text}
      </Button>
    )
  }
  return (
    <div className={foot}>
      {record && <Standing record={record} />}
      {first && draw(first, 'min-h-17 text-xl')}
      {others.length > 0 && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2">
          {others.map((action) => draw(action, 'min-h-15 px-2 text-lg'))}
        </div>
      )}
      <NotRecorded shown={failed === 'report-in' || failed === 'not-available'} />
    </div>
  )
}

/** What the warden has already said about this event. */
function Standing({ record: { on_duty, not_available } }: { record: SignInRecord }) {
  if (!on_duty && !not_available) return null
  return (
    <p className="pb-1 text-center">
      <StatusBadge status={on_duty ? 'on_duty' : 'not_available'} />
    </p>
  )
}
