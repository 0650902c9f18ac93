import { type ComponentProps, useState } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { useLateFile } from '../pages/use-late-file.ts'
import type { OpenPeep } from './peep-popup.tsx'
import { type SheetPerson, StatusSheet } from './status-sheet.tsx'

const loadPeep = () => import('./peep-popup.tsx')

/**
 * Whose status sheet and whose PEEP are open. `actions` open them from a card. Stable: a screen that drew itself anew would
 * hold up the sheet on a slow phone.
 */
export function usePersonPopups() {
  const [popups] = useState(() => {
    const chosen = createStore<SheetPerson | null>(null)
    const peep = createStore<OpenPeep | null>(null)
    return {
      chosen,
      peep,
      closeSheet: () => chosen.set(null),
      closePeep: () => peep.set(null),
      actions: { onStatus: chosen.set, onPeep: peep.set },
    }
  })
  return popups
}

interface PersonPopupsProps extends Omit<ComponentProps<typeof StatusSheet>, 'person' | 'onClose'> {
  popups: ReturnType<typeof usePersonPopups>
  /** A second list, without refusals. */
  peeps?: readonly SheetPerson[]
}

/** The status sheet and the PEEP of a screen's lists: one of each for the whole screen. */
export function PersonPopups({ popups, people, peeps, ...sheet }: PersonPopupsProps) {
  const person = useStore(popups.chosen)
  const peep = useStore(popups.peep)
  const file = useLateFile(loadPeep, peep !== null)
  const list = peeps && person?.reported === undefined ? peeps : people
  return (
    <>
      <StatusSheet person={person} people={list} onClose={popups.closeSheet} {...sheet} />
      {file && <file.PeepPopup peep={peep} onClose={popups.closePeep} />}
    </>
  )
}
