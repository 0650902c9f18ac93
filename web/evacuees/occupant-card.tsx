import { Flag } from 'lucide-react'
import { memo } from 'react'
import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import { statusShortLabel } from '#kernel/vocabulary.ts'
import { formatClock } from '../lib/time/server-clock.ts'
import { useSayOf } from '../live/response.ts'
import type { Overlaid } from '../outbox/outbox-overlay.ts'
import type { PagePath } from '../pages/pages.ts'
import { MessageLink } from './message-link.tsx'
import { ownWordOf } from './own-word.ts'
import type { OpenPeep } from './peep-popup.tsx'
import { planOf } from './peep-text.ts'
import { PersonCard } from './person-card.tsx'
import { PhoneLink } from './phone-link.tsx'
import { SmsRefused } from './sms-refused.tsx'
import type { SheetPerson } from './status-sheet.tsx'
import type { StatusWords } from './status-words.ts'

export interface CardActions {
  onStatus: (person: SheetPerson) => void
  onPeep: (peep: OpenPeep) => void
}
interface OccupantCardProps extends CardActions {
  person: Overlaid<Occupant>
  words: StatusWords
  /** The page for messages leads back to here. */
  from: PagePath
  /** The page for messages exists, and this warden's role has it. */
  canMessage: boolean
  /** The place of the page, which the card leaves out. */
  place?: string | undefined
}

/** Drawn again only when this person changes: there may be a thousand. */
export const OccupantCard = memo(function OccupantCard({
  person,
  words,
  from,
  canMessage,
  place,
  onStatus,
  onPeep,
}: OccupantCardProps) {
  const { name } = person
  const sayOf = useSayOf()
  const plan = planOf(person)
  return (
    <PersonCard
      name={name}
      status={person.status}
      word={sayOf(person.group)(words.shown(person.status, person.on_floor))}
      isPending={person.isStatusPending}
      onStatus={() => onStatus(person)}
      onPeep={plan && (() => onPeep({ name, plan }))}
      note={<Note person={person} place={place} />}
      actions={
        <>
          {canMessage && (
            <MessageLink to={`/message/evacuee/${person.id}`} from={from} name={name} unread={person.message.unread} />
          )}
          <PhoneLink name={name} phone={person.phone} />
        </>
      }
    />
  )
})

function Note({ person, place }: Pick<OccupantCardProps, 'person' | 'place'>) {
  const { location, visitor, reported, isRefusalPending, sms_refused, isStatusPending, message, in_drill, before } =
    person
  const known = in_drill ?? before
  const ownWord = ownWordOf(person)
  const say = useSayOf()(person.group)
  const facts = [location !== place && location, visitor && 'Visitor', message.noreply && 'No reply'].filter(Boolean)
  return (
    <>
      {facts.length > 0 && <p className="text-muted">{facts.join(' · ')}</p>}
      {ownWord && !isStatusPending && <p className="font-semibold">{ownWord}</p>}
      {known && !isStatusPending && (
        <p className="text-muted">
          {`${in_drill ? 'In the drill' : 'Before'}: ${say(statusShortLabel[known.status])}, ${formatClock(new Date(known.at)).slice(0, 5)}`}
        </p>
      )}
      {sms_refused && <SmsRefused />}
      {reported && (
        <p className="flex items-center gap-1.5 font-bold text-danger-ink">
          <Flag aria-hidden size={20} className="shrink-0" />
          <span>{say(isRefusalPending ? 'Refuses to evacuate (waiting)' : 'Refuses to evacuate')}</span>
        </p>
      )}
      {!reported && isRefusalPending && (
        <p className="font-semibold text-muted">{say('Refusal taken back (waiting)')}</p>
      )}
    </>
  )
}
