import type { Occupant } from '@evac/contract/evacuation.ts'
import { Flag, MessageSquare, Phone } from 'lucide-react'
import { memo } from 'react'
import type { Overlaid } from '../../lib/outbox-overlay.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import type { ShownPeep } from './floor-evacuation.data.ts'
import type { OpenPeep } from './peep-popup.tsx'
import { PersonCard } from './person-card.tsx'
import type { SheetPerson } from './status-sheet.tsx'

export interface CardActions {
  onStatus: (person: SheetPerson) => void
  onPeep: (peep: OpenPeep) => void
}
interface OccupantCardProps extends CardActions {
  person: Overlaid<Occupant>
  /** The page for messages exists, and this warden's role has it. */
  canMessage: boolean
}

/** FLOOR-13. Drawn again only when this person changes: there may be a thousand. */
export const OccupantCard = memo(function OccupantCard({ person, canMessage, onStatus, onPeep }: OccupantCardProps) {
  const { name } = person
  const plan: ShownPeep | undefined = person.special.find((entry) => entry.name === 'assist' && entry.state)?.peep
  return (
    <li className="row-lazy">
      <PersonCard
        name={name}
        status={person.status}
        waits={person.statusWaits}
        onStatus={() => onStatus(person)}
        onPeep={plan && (() => onPeep({ name, plan }))}
        note={<Note person={person} />}
        actions={
          <>
            {canMessage && <MessageLink person={person} />}
            <PhoneLink name={name} phone={person.phone} />
          </>
        }
      />
    </li>
  )
})

function Note({ person: { location, visitor, reported, refusalWaits } }: { person: Overlaid<Occupant> }) {
  return (
    <>
      <p className="text-muted">
        {location}
        {visitor && ' · Visitor'}
      </p>
      {reported && (
        <p className="flex items-center gap-1.5 font-bold text-danger-ink">
          <Flag aria-hidden size={20} className="shrink-0" />
          Refuses to evacuate{refusalWaits && ' (waiting)'}
        </p>
      )}
      {!reported && refusalWaits && <p className="font-semibold text-muted">Refusal taken back (waiting)</p>}
    </>
  )
}

function MessageLink({ person: { id, name, message } }: { person: Occupant }) {
  const label = message.unread ? `Message ${name}, unread` : `Message ${name}`
  return (
    <Link
      to={`/message/evacuee/${id}?from=${encodeURIComponent('/floor/evacuation')}`}
      aria-label={label}
      title={label}
      className="btn btn-icon relative"
    >
      <MessageSquare aria-hidden />
      {message.unread && (
        <span aria-hidden className="absolute -top-1.5 -right-1.5 size-4 rounded-full border-2 border-surface bg-red" />
      )}
    </Link>
  )
}

/** FLOOR-19: numbers are kept as digits with the country code. */
function PhoneLink({ name, phone }: { name: string; phone: string | null }) {
  if (!phone) return <IconButton icon={Phone} label={`No phone number of ${name}`} disabled />
  return (
    <a href={`tel:+${phone}`} aria-label={`Call ${name}`} title={`Call ${name}`} className="btn btn-icon">
      <Phone aria-hidden />
    </a>
  )
}
