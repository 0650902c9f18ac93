import { Flag, FlagOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { type SafetyStatus, safetyStatuses } from '#kernel/vocabulary.ts'
import { type Group, useSayOf } from '../live/response.ts'
import { overlay, type PendingByPerson } from '../outbox/outbox-overlay.ts'
import { BottomSheet, SheetChoice } from '../ui/popups/bottom-sheet.tsx'
import { statusLook } from './status-look.ts'
import type { StatusWords } from './status-words.ts'

/** The person the sheet is open for, as shown; `reported` is missing where the list does not know of refusals. */
export interface SheetPerson {
  id: PersonUid
  name: string
  status: SafetyStatus
  on_floor?: boolean
  floor?: FloorUid | null
  reported?: boolean
  group?: Group | undefined
}
interface StatusSheetProps {
  person: SheetPerson | null
  /** The current list from which the person was chosen, and the pending changes of this phone. */
  people: readonly SheetPerson[] | undefined
  pending: PendingByPerson
  words: StatusWords
  onStatus: (person: SheetPerson, status: SafetyStatus) => void
  /** Absent where refusals are not noted. */
  onRefusal?: (person: SheetPerson, refuses: boolean) => void
  onClose: () => void
  /** What the choices stand in, if not a sheet over the page. */
  frame?: (props: ComponentProps<typeof BottomSheet>) => ReactNode
}

/** One sheet for the whole page, with the statuses other than the current one. */
export function StatusSheet({ person, frame: Frame = BottomSheet, ...more }: StatusSheetProps) {
  return (
    <Frame open={person !== null} onClose={more.onClose} title={person?.name}>
      {person && <Choices key={person.id} person={person} {...more} />}
    </Frame>
  )
}

function Choices({
  person,
  people,
  pending,
  words,
  onStatus,
  onRefusal,
  onClose,
}: Omit<StatusSheetProps, 'frame'> & { person: SheetPerson }) {
  const now = useNow(person, people, pending)
  const say = useSayOf()(now.group)
  const changed = person.status !== now.status || person.reported !== now.reported
  const isChosen = useRef(false)
  const choose = (act: () => void) => () => {
    // a second tap may come before the sheet has gone
    if (isChosen.current) return
    isChosen.current = true
    onClose()
    act()
  }
  return (
    <>
      <News text={say(changesOf(person, now, words))} />
      {safetyStatuses
        .filter((status) => status !== now.status)
        .map((status, at) => (
          <SheetChoice
            // Each change draws all anew, so that a thumb on its way does not hit what has taken the place of its aim.
            key={`${now.status} ${status}`}
            icon={statusLook[status].icon}
            className={`${statusLook[status].className} ${changed ? 'arming' : ''}`}
            first={at === 0}
            onChoose={choose(() => onStatus(now, status))}
          >
            {say(words.offered[status])}
          </SheetChoice>
        ))}
      {now.reported !== undefined && onRefusal && (
        <SheetChoice
          key={`${now.reported}`}
          icon={now.reported ? FlagOff : Flag}
          className={`border-line ${changed ? 'arming' : ''}`}
          onChoose={choose(() => onRefusal(now, !now.reported))}
        >
          {say(now.reported ? 'Take back refusal to evacuate' : 'Record refusal to evacuate')}
        </SheetChoice>
      )}
    </>
  )
}

/** The person as the list has them; who has left it stays as they were last. */
function useNow(person: SheetPerson, people: StatusSheetProps['people'], pending: PendingByPerson): SheetPerson {
  const row = useMemo(() => {
    const found = people?.find(({ id }) => id === person.id)
    return found && overlay(found, pending)
  }, [people, pending, person.id])
  const [last, setLast] = useState<SheetPerson>(person)
  if (row && row !== last) setLast(row)
  const { reported, ...now } = row ?? last
  // A list without refusals gets none from pending records.
  return person.reported === undefined || reported === undefined ? now : { ...now, reported }
}

function changesOf(before: SheetPerson, now: SheetPerson, words: StatusWords): string {
  const refusal = now.reported ? 'refuses to evacuate' : 'does not refuse to evacuate'
  const changes = [
    before.status !== now.status && words.shown(now.status, now.on_floor ?? false),
    before.reported !== now.reported && refusal,
  ].filter(Boolean)
  return changes.length ? `Recorded in the meantime: ${changes.join(', ')}` : ''
}

/** What another warden recorded while the sheet is open. Takes the focus where the choice that had it is gone. */
function News({ text }: { text: string }) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (text && document.activeElement === document.body) ref.current?.focus()
  }, [text])
  return (
    <p ref={ref} role="status" tabIndex={-1} className="font-semibold empty:sr-only">
      {text}
    </p>
  )
}
