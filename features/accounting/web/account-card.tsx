import { Accessibility, Flag } from 'lucide-react'
import { causeWords } from '#features/board/words.ts'
import { evacueeWords } from '#web/evacuees/evacuee-records.ts'
import { MessageLink } from '#web/evacuees/message-link.tsx'
import { PersonCard } from '#web/evacuees/person-card.tsx'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { ShowPlan } from '#web/evacuees/plan/show-plan.tsx'
import { SmsRefused } from '#web/evacuees/sms-refused.tsx'
import { useSayTotal } from '#web/live/response.ts'
import type { Overlaid } from '#web/outbox/outbox-overlay.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import type { AccountedPerson } from '../calls.ts'
import { type Moment, SourceLine } from './source-line.tsx'

interface AccountCardProps {
  person: Overlaid<AccountedPerson>
  moment: Moment
  onStatus: () => void
  onPlan: () => void
}

/** A person with the source of their state. Of a PEEP the mark alone. */
export function AccountCard({ person, moment, onStatus, onPlan }: AccountCardProps) {
  const canMessage = useAuth()?.module_access.Module_My_Messages === true
  const search = useOwnSearch()
  const say = useSayTotal()
  const { id, name, isStatusPending } = person
  return (
    <PersonCard
      name={name}
      status={person.status}
      word={say(evacueeWords.shown(person.status, person.on_floor))}
      isPending={isStatusPending}
      onStatus={onStatus}
      note={
        <>
          <Facts person={person} />
          {!isStatusPending && <SourceLine source={person.source} moment={moment} />}
          {person.plan && (
            <p className="mt-2">
              <ShowPlan name={name} onPress={onPlan} />
            </p>
          )}
        </>
      }
      actions={
        <>
          {canMessage && (
            <MessageLink
              to={`/message/evacuee/${id}`}
              from={`/event/people${search}`}
              name={name}
              unread={person.unread}
            />
          )}
          <PhoneLink name={name} phone={person.phone} />
        </>
      }
    />
  )
}

function Facts({ person }: { person: AccountedPerson }) {
  const facts = [person.location, person.visitor && 'Visitor', person.cause && causeWords[person.cause]].filter(Boolean)
  return (
    <>
      <p className="text-muted">{facts.join(' · ')}</p>
      {person.plan && (
        <p className="flex items-center gap-1.5 font-semibold">
          <Accessibility aria-hidden size={20} className="shrink-0" />
          PEEP
        </p>
      )}
      {person.refused && (
        <p className="flex items-center gap-1.5 font-bold text-danger-ink">
          <Flag aria-hidden size={20} className="shrink-0" />
          Refuses to evacuate
        </p>
      )}
      {person.said && (
        <p>
          Wrote: “<bdi>{person.said}</bdi>”
        </p>
      )}
      {person.sms_refused && <SmsRefused />}
    </>
  )
}
