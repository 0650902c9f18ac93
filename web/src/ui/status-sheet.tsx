import type { PersonUid } from '@evac/contract/ids.ts'
import { floorStatusLabel, type SafetyStatus, safetyStatuses } from '@evac/contract/vocabulary.ts'
import { Flag, FlagOff } from 'lucide-react'
import { BottomSheet, SheetChoice } from '../../ui/bottom-sheet.tsx'
import { statusLook } from '../../ui/status-look.ts'

/** The person the sheet is open for, as shown; `reported` is missing where the list does not know of refusals. */
export interface SheetPerson {
  id: PersonUid
  name: string
  status: SafetyStatus
  reported?: boolean
}
interface StatusSheetProps {
  person: SheetPerson | null
  onStatus: (person: SheetPerson, status: SafetyStatus) => void
  onRefusal: (person: SheetPerson, refuses: boolean) => void
  onClose: () => void
}

/** FLOOR-15, FLOOR-21: one sheet for the whole page, with the statuses other than the current one. */
export function StatusSheet({ person, onStatus, onRefusal, onClose }: StatusSheetProps) {
  const choose = (act: () => void) => {
    onClose()
    act()
  }
  return (
    <BottomSheet open={person !== null} onClose={onClose} title={person?.name}>
      {person && (
        <Choices
          person={person}
          onStatus={(status) => choose(() => onStatus(person, status))}
          onRefusal={(refuses) => choose(() => onRefusal(person, refuses))}
        />
      )}
    </BottomSheet>
  )
}

interface ChoicesProps {
  person: SheetPerson
  onStatus: (status: SafetyStatus) => void
  onRefusal: (refuses: boolean) => void
}
function Choices({ person: { status: current, reported }, onStatus, onRefusal }: ChoicesProps) {
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
          {floorStatusLabel[status]}
        </SheetChoice>
      ))}
      {reported !== undefined && (
        <SheetChoice icon={reported ? FlagOff : Flag} onChoose={() => onRefusal(!reported)}>
          {reported ? 'Take back refusal to evacuate' : 'Record refusal to evacuate'}
        </SheetChoice>
      )}
    </>
  )
}
