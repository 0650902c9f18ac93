import { CircleAlert, CircleCheck, CircleQuestionMark, type LucideIcon, UserX } from 'lucide-react'
import type { FloorWardenGroup } from '../../calls/attendance.ts'
import { CountsLine } from './attendance-counters.tsx'
import { Expandable } from './expandable.tsx'
import { BroadcastLink, type Sender, WardenList } from './wardens.tsx'

export const coverageLook: Record<FloorWardenGroup['colour'], { icon: LucideIcon; badge: string; edge: string }> = {
  green: { icon: CircleCheck, badge: 'bg-safe text-on-safe', edge: 'border-l-8 border-l-safe' },
  yellow: { icon: CircleQuestionMark, badge: 'bg-unknown text-on-unknown', edge: 'border-l-8 border-l-unknown' },
  red: { icon: CircleAlert, badge: 'bg-danger text-on-danger', edge: 'border-l-8 border-l-danger' },
  grey: { icon: UserX, badge: 'bg-grey text-on-grey', edge: 'border-l-8 border-l-grey' },
}

/** Id of the button that opens a floor. */
export const floorButtonId = (id: string) => `floor-${id}`

interface FloorGroupProps {
  group: FloorWardenGroup
  sender: Sender
  open: boolean
  onToggle: () => void
}

/** A floor with its status, colour and counts; open, its wardens. */
export function FloorGroup({ group, sender, open, onToggle }: FloorGroupProps) {
  const { id, name, wardens } = group
  return (
    <Expandable
      id={floorButtonId(id)}
      heading="h3"
      title={name}
      edge={coverageLook[group.colour].edge}
      summary={<Coverage group={group} />}
      open={open}
      onToggle={onToggle}
    >
      <h4 className="font-bold">Floor / Area Wardens</h4>
      {wardens.length === 0 ? (
        <p className="text-muted">No Floor Wardens</p>
      ) : (
        <WardenList
          label={`Wardens of ${name}`}
          wardens={wardens}
          sender={sender}
          from="/floor/warden/status"
          about={({ role }) => role}
        />
      )}
      <BroadcastLink to={name} wardens={wardens} sender={sender} />
    </Expandable>
  )
}

function Coverage({ group }: { group: FloorWardenGroup }) {
  const { icon: Icon, badge } = coverageLook[group.colour]
  return (
    <>
      <span>
        <span
          data-colour={group.colour}
          className={`inline-flex items-center gap-1.5 rounded-full px-3 py-1 font-bold ${badge}`}
        >
          <Icon aria-hidden size={20} className="shrink-0" />
          {group.status}
        </span>
      </span>
      <CountsLine
        onDuty={group.wardens_on_duty_count}
        unknown={group.wardens_unknown_count}
        notAvailable={group.wardens_not_available_count}
      />
      {group.claimed_by && <span className="font-semibold wrap-anywhere">{`Taken by ${group.claimed_by}`}</span>}
      {group.covered_by && <span className="font-semibold wrap-anywhere">{`Covered by ${group.covered_by}`}</span>}
    </>
  )
}
