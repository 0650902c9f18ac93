import type { Need } from '@evac/contract/needs.ts'
import { useCallback, useRef, useState } from 'react'
import { KeysDialog } from './frame/keys-dialog.tsx'
import type { Form } from './matrix/fit.ts'
import { Matrix } from './matrix/matrix.tsx'
import { focusFloor } from './matrix/use-roving.ts'
import { floorOfNeed, needsIn, openOfEvent } from './needs/needs-in.ts'
import { NeedsList } from './needs/needs-list.tsx'
import { SidePanel } from './panel/panel-frame.tsx'
import { type Selection, selectionOf } from './panel/selection.ts'
import { Legend } from './parts/legend.tsx'
import { Totals } from './parts/totals.tsx'
import { eventSeconds, type Picture } from './reading/picture.ts'
import { useLater } from './reading/use-later.ts'
import { useNow } from './reading/use-now.ts'

interface DeskBoardProps {
  picture: Picture
  wish: Form | null
  /** Told how the floors are drawn. */
  onForm: (form: Form) => void
}

/** Milliseconds: ages are in minutes, so the matrix need not look at the clock each second. */
const agesEvery = 5000
/** Entries before 'Show all {n}': more than a screen has, and few enough to be drawn in one frame. */
const mostNeeds = 40

/** C§9, the form of a desk: totals above, list and panel beside the matrix; nothing scrolls but the list. */
export function DeskBoard({ picture, wish, onForm }: DeskBoardProps) {
  const now = eventSeconds(picture, useNow(agesEvery))
  const [selection, setSelection] = useState<Selection | null>(null)
  const [areKeysOpen, setKeysOpen] = useState(false)
  // a thousand floors are drawn after the list, and the list after the totals: no frame waits for all of them
  const listPicture = useLater(picture)
  const matrixPicture = useLater(listPicture)
  const nextNeed = useRef(0)
  // a floor is found in the reading that is drawn where it was pressed
  const select = (drawn: Picture, nth: number | undefined, takesFocus = false) =>
    nth !== undefined && setSelection(selectionOf(drawn, nth, takesFocus))
  const openNeed = (need: Need) => openOfEvent(need) || select(listPicture, floorOfNeed(need, listPicture))
  const goToNextNeed = () => {
    const needs = needsIn(matrixPicture)
    const need = needs[nextNeed.current++ % Math.max(1, needs.length)]
    const nth = need && floorOfNeed(need, matrixPicture)
    if (nth === undefined) return
    focusFloor(nth)
    select(matrixPicture, nth)
  }
  const { places } = listPicture
  const choose = useCallback((id: string) => setSelection(selectionOf({ places }, id)), [places])
  const drawnFloors = matrixPicture.places.buildings.flatMap(({ floors }) => floors)
  const selected = drawnFloors.findIndex(({ id }) => id === selection?.id)
  return (
    <>
      <Totals picture={picture} now={now} />
      <div className="bd-left">
        <NeedsList picture={listPicture} now={now} onOpen={openNeed} most={mostNeeds} />
        <SidePanel
          picture={listPicture}
          selection={selection}
          now={Date.parse(picture.board.event.began_at) + now * 1000}
          onSelect={choose}
          onBack={() => selected >= 0 && focusFloor(selected)}
        />
      </div>
      <Matrix
        picture={matrixPicture}
        now={now}
        wish={wish}
        selected={selected}
        onForm={onForm}
        acts={{
          onOpen: (nth) => select(matrixPicture, nth, true),
          onNextNeed: goToNextNeed,
          onKeys: () => setKeysOpen(true),
        }}
      />
      <Legend hasKeys />
      <KeysDialog open={areKeysOpen} onClose={() => setKeysOpen(false)} />
    </>
  )
}
