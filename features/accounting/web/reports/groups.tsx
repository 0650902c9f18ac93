import { Layers } from 'lucide-react'
import type { ReportGroup } from '#features/self-report/calls.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { formatCount } from '#web/lib/counts.ts'
import { Button } from '#web/ui/button.tsx'
import { Age, type Moment } from '../source-line.tsx'
import { ManyActs } from './many-acts.tsx'
import { DrillMark } from './report-card.tsx'
import type { Where } from './waiting-act.ts'

interface GroupsProps {
  groups: readonly ReportGroup[]
  moment: Moment
  floor: Where['floor']
  upTo: SelfReportUid | null
  onOpen: (network: string) => void
}

/** Many reports of one network are one entry, so that a flood hides no one and can be ended. */
export function Groups({ groups, moment, floor, upTo, onOpen }: GroupsProps) {
  if (groups.length === 0) return null
  return (
    <ul aria-label="Networks" className="cards gap-2">
      {groups.map((group) => (
        <li key={group.network}>
          <div
            className={`card grid gap-2 border-l-8 py-2 ${isCalling(group) ? 'border-l-danger' : 'border-l-unknown'}`}
          >
            <div className="min-w-0">
              <h3 className="flex items-center gap-1.5 text-lg leading-snug font-bold">
                <Layers aria-hidden size={22} className="shrink-0" />
                {groupWords(group)}
                {group.in_drill === group.count && <DrillMark />}
              </h3>
              {group.more > 0 && <p className="font-semibold text-danger-ink">{moreWords(group.more)}</p>}
              <p className="text-muted">
                {group.help > 0 && <strong className="text-danger-ink">{callsOf(group.help)}, </strong>}
                newest
                <Age at={group.newest} moment={moment} lead=" " />
                {group.in_drill !== undefined &&
                  group.in_drill < group.count &&
                  `, ${formatCount(group.in_drill)} in the drill`}
              </p>
            </div>
            <div className="flex flex-wrap gap-2 *:grow *:px-2.5">
              {group.count > 0 && (
                <Button
                  variant="outline"
                  aria-label={`Show: ${groupWords(group)}`}
                  onClick={() => onOpen(group.network)}
                >
                  Show
                </Button>
              )}
              <ManyActs
                of={{ ...group, where: { network: group.network, floor }, upTo }}
                acceptWords={(count) => `Accept these ${count}`}
                canDismiss
                label={groupWords(group)}
              />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

const isCalling = ({ help, more }: ReportGroup) => help + more > 0
const groupWords = ({ count }: ReportGroup) => `${formatCount(count)} from one network`
const moreWords = (more: number) =>
  more === 1 ? '1 more call from this network' : `${formatCount(more)} more calls from this network`
export const callsOf = (count: number) => (count === 1 ? '1 call for help' : `${formatCount(count)} calls for help`)
