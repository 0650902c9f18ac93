import type { FloorUid, PersonUid } from '@evac/contract/ids.ts'
import { type SafetyStatus, safetyStatuses } from '@evac/contract/vocabulary.ts'
import { Flag, FlagOff } from 'lucide-react'
import { BottomSheet, SheetChoice } from './bottom-sheet.tsx'
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
}
interface StatusSheetProps {
  person: SheetPerson | null
  words: StatusWords
  onStatus: (person: SheetPerson, status: SafetyStatus) => void
  /** Absent where refusals are not noted. */
  onRefusal?: (person: SheetPerson, refuses: boolean) => void
  onClose: () => void
}

/** FLOOR-15, FLOOR-21: one sheet for the whole page, with the statuses other than the current one. */
export function StatusSheet({ person, words, onStatus, onRefusal, onClose }: StatusSheetProps) {
  const choose = (act: () => void) => {
    onClose()
    act()
  }
  return (
    <BottomSheet open={person !== null} onClose={onClose} title={person?.name}>
      {person && (
        <Choices
          person={person}
          words={words}
          onStatus={(status) => choose(() => onStatus(person, status))}
          onRefusal={onRefusal && ((refuses) => choose(() => onRefusal(person, refuses)))}
        />
      )}
    </BottomSheet>
  )
}

interface ChoicesProps {
  person: SheetPerson
  words: StatusWords
  onStatus: (status: SafetyStatus) => void
  onRefusal: ((refuses: boolean) => void) | undefined
}
function Choices({ person: { status: current, reported }, words, onStatus, onRefusal }: ChoicesProps) {
  const others = safetyStatuses.filter((status) => status !== current)
  return (
    <>
      {others.map((status, at) => (
        <SheetChoice
          key={status}
          icon={statusLook[status].icon}
          className={statusLook[status].className}
          first={at === 0}
          onChoose={() => onStatus(status)}
        >
          {words.offered[status]}
        </SheetChoice>
      ))}
      {reported !== undefined && onRefusal && (
        <SheetChoice icon={reported ? FlagOff : Flag} onChoose={() => onRefusal(!reported)}>
          {reported ? 'Take back refusal to evacuate' : 'Record refusal to evacuate'}
        </SheetChoice>
      )}
    </>
  )
}
