import { Footprints, type LucideIcon, Siren, Users } from 'lucide-react'
import { planReasons } from '#features/peeps/kinds.ts'
import { planReasonWords } from '#features/peeps/words.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BottomSheet } from '../../ui/popups/bottom-sheet.tsx'
import { type OpenedPlan, useOpenPlan } from './open-plan.ts'

export interface PlannedPerson {
  id: PersonUid
  name: string
}

/** 'Why?', then what help the person needs. One sheet per list. */
export function PlanSheet({ person, onClose }: { person: PlannedPerson | null; onClose: () => void }) {
  return (
    <BottomSheet open={person !== null} onClose={onClose} title={person?.name}>
      {person && <Opening key={person.id} personId={person.id} />}
    </BottomSheet>
  )
}

const icons: Record<(typeof planReasons)[number], LucideIcon> = { helping: Footprints, sending: Users, services: Siren }

function Opening({ personId }: { personId: PersonUid }) {
  const { plan, problem, running, open, more } = useOpenPlan(personId)
  return (
    <>
      <div role="alert" className="empty:hidden">
        {problem && <Notice variant="danger">{problem}</Notice>}
      </div>
      {plan ? (
        <Text plan={plan} isReading={running !== null} onMore={more} />
      ) : (
        <>
          <h3 className="text-xl font-bold">Why?</h3>
          {planReasons.map((reason, nth) => (
            <Button
              key={reason}
              variant="outline"
              icon={icons[reason]}
              busy={running === reason}
              data-autofocus={nth === 0 || undefined}
              className="min-h-17 w-full justify-start px-5 text-left text-lg"
              onClick={() => open(reason)}
            >
              {planReasonWords[reason]}
            </Button>
          ))}
          <p className="text-muted">This is recorded, and the person is told after the event.</p>
        </>
      )}
    </>
  )
}

function Text({ plan, isReading, onMore }: { plan: OpenedPlan; isReading: boolean; onMore: () => void }) {
  return (
    <div className="grid gap-4 pb-2" aria-live="polite">
      <Part heading="Assistance Needed" text={plan.assistance} />
      {plan.disability !== undefined && (
        <>
          <Part heading="Disability or Mobility Impairment" text={plan.disability} />
          <Part heading="Other Details" text={plan.other ?? ''} />
        </>
      )}
      {plan.disability === undefined && (
        <Button variant="outline" busy={isReading} onClick={onMore}>
          More
        </Button>
      )}
    </div>
  )
}

const Part = ({ heading, text }: { heading: string; text: string }) => (
  <section>
    <h3 className="text-muted">{heading}</h3>
    <p className="text-lg font-semibold wrap-anywhere whitespace-pre-line">{text || 'Nothing noted'}</p>
  </section>
)
