import { CircleCheck, Flag, type LucideIcon, PencilLine, Search } from 'lucide-react'
import type { BuildingUid } from '#kernel/ids.ts'
import { safetyLabel } from '#kernel/vocabulary.ts'
import { ShowPlan } from '#web/evacuees/plan/show-plan.tsx'
import { statusLook } from '#web/evacuees/status-look.ts'
import { useStore } from '#web/lib/store.ts'
import { responseStore, type Say, useSayIn } from '#web/live/response.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { AccountedPerson, ContradictionItem, Told } from '../calls.ts'
import type { Said } from '../kinds.ts'
import { contradictionWords } from '../words.ts'
import { KeepForm } from './keep-form.tsx'
import { RecordSheet } from './record-sheet.tsx'
import { type Moment, SourceLine } from './source-line.tsx'

interface ResolveSheetProps {
  item: ContradictionItem | null
  moment: Moment
  /** 'Record again'. */
  onStatus: (person: AccountedPerson) => void
  onPlan: (person: AccountedPerson) => void
  onClose: () => void
}

/** Both records side by side, and what settles them. */
export function ResolveSheet({ item, moment, onStatus, onPlan, onClose }: ResolveSheetProps) {
  const say = useSayIn(item?.building ?? null)
  return (
    <RecordSheet open={item !== null} onClose={onClose} title={item && say(contradictionWords[item.kind])}>
      {item && (
        <>
          <p className="text-muted">{item.location}</p>
          <div className="grid grid-cols-2 gap-2 max-[359px]:grid-cols-1">
            <Side told={item.first} moment={moment} say={say} />
            <Side told={item.second} moment={moment} say={say} />
          </div>
          <Again people={item.people} onStatus={onStatus} onPlan={onPlan} />
          <CheckAgain floor={item.floor} building={item.building} />
          <KeepForm item={item} onKept={onClose} />
        </>
      )}
    </RecordSheet>
  )
}

const sides: Record<Said, { icon: LucideIcon; ink: string; word: string }> = {
  cleared: { icon: CircleCheck, ink: 'text-safe', word: 'Cleared' },
  refused: { icon: Flag, ink: 'text-danger-ink', word: 'Refuses to evacuate' },
  safe: { ...statusLook.safe, word: safetyLabel('safe', false) },
  unknown: { ...statusLook.unknown, word: safetyLabel('unknown', false) },
  danger: { ...statusLook.danger, word: safetyLabel('danger', false) },
}

function Side({ told, moment, say }: { told: Told; moment: Moment; say: Say }) {
  const { icon: Icon, ink, word } = sides[told.said]
  return (
    <section className="grid content-start gap-1 rounded-xl border border-hairline p-3 wrap-anywhere">
      <h3 className="flex items-center gap-1.5 font-bold">
        <Icon aria-hidden size={22} className={`shrink-0 ${ink}`} />
        {told.words ?? say(word)}
      </h3>
      <SourceLine source={told.source} moment={moment} />
    </section>
  )
}

/** An instruction to the wardens of the floor, which the next page confirms. In a lockdown no one is sent. */
function CheckAgain({ floor, building }: { floor: ContradictionItem['floor']; building: BuildingUid }) {
  const manages = useAuth()?.module_access.Module_Event_Management === true
  const isQuiet = useStore(responseStore)?.quiet.has(building) === true
  if (!manages || isQuiet || floor === null) return null
  return (
    <Link to={`/event/instructions?floor=${floor}&kind=recheck`} className={buttonClass('outline', true)}>
      <Search aria-hidden className="shrink-0" />
      Check the floor again
    </Link>
  )
}

/** A newer record of a warden settles it. */
function Again({
  people,
  onStatus,
  onPlan,
}: Pick<ResolveSheetProps, 'onStatus' | 'onPlan'> & { people: readonly AccountedPerson[] }) {
  if (people.length === 0) return null
  return (
    <ul className="grid gap-2">
      {people.map((person) => (
        <li key={person.id} className="flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-0 grow font-semibold">{person.name}</span>
          {person.plan && <ShowPlan name={person.name} onPress={() => onPlan(person)} />}
          <Button
            variant="outline"
            icon={PencilLine}
            aria-label={`Record again: ${person.name}`}
            onClick={() => onStatus(person)}
          >
            Record again
          </Button>
        </li>
      ))}
    </ul>
  )
}
