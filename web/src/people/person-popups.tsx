import { type ComponentProps, useCallback, useState } from 'react'
import { type OpenPeep, PeepPopup } from './peep-popup.tsx'
import { type SheetPerson, StatusSheet } from './status-sheet.tsx'

/** Whose status sheet and whose PEEP are open. `actions` open them from a card and are stable. */
export function usePersonPopups() {
  const [chosen, onStatus] = useState<SheetPerson | null>(null)
  const [peep, onPeep] = useState<OpenPeep | null>(null)
  const closeSheet = useCallback(() => onStatus(null), [])
  const closePeep = useCallback(() => onPeep(null), [])
  return { chosen, peep, closeSheet, closePeep, actions: { onStatus, onPeep } }
}

interface PersonPopupsProps extends Omit<ComponentProps<typeof StatusSheet>, 'person' | 'onClose'> {
  popups: ReturnType<typeof usePersonPopups>
}

/** The status sheet and the PEEP of a screen's lists: one of each for the whole screen. */
export function PersonPopups({ popups: { chosen, peep, closeSheet, closePeep }, ...sheet }: PersonPopupsProps) {
  return (
    <>
      <StatusSheet person={chosen} onClose={closeSheet} {...sheet} />
      <PeepPopup peep={peep} onClose={closePeep} />
    </>
  )
}
