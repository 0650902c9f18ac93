import { Layers } from 'lucide-react'
import type { ReportGroup } from '#features/self-report/calls.ts'
import { formatCount } from '#web/lib/counts.ts'
import { Button } from '#web/ui/button.tsx'
import { Age, type Moment } from '../source-line.tsx'

interface GroupsProps {
  groups: readonly ReportGroup[]
  moment: Moment
  onOpen: (network: string) => void
}

/** Many reports of one network are one entry, so that a flood hides no one. */
export function Groups({ groups, moment, onOpen }: GroupsProps) {
  if (groups.length === 0) return null
  return (
    <ul aria-label="Networks" className="cards gap-2">
      {groups.map((group) => (
        <li key={group.network}>
          <div
            className={`card flex flex-wrap items-center justify-between gap-2 border-l-8 py-2 ${group.help > 0 ? 'border-l-danger' : 'border-l-unknown'}`}
          >
            <div className="min-w-0 flex-1">
              <h3 className="flex items-center gap-1.5 text-lg leading-snug font-bold">
                <Layers aria-hidden size={22} className="shrink-0" />
                {groupWords(group)}
              </h3>
              <p className="text-muted">
                {group.help > 0 && <strong className="text-danger-ink">{callsOf(group.help)}, </strong>}
                newest
                <Age at={group.newest} moment={moment} lead=" " />
              </p>
            </div>
            <Button variant="outline" aria-label={`Show: ${groupWords(group)}`} onClick={() => onOpen(group.network)}>
              Show
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

const groupWords = ({ count }: ReportGroup) => `${formatCount(count)} from one network`
export const callsOf = (count: number) => (count === 1 ? '1 call for help' : `${formatCount(count)} calls for help`)
