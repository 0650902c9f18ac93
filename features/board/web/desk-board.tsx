import { useCallback, useRef, useState } from 'react'
import { useNow } from '#web/lib/time/use-now.ts'
import type { Need } from '../open-tasks.ts'
import { KeysDialog } from './frame/keys-dialog.tsx'
import type { Form } from './matrix/fit-to-screen.ts'
import { Matrix } from './matrix/matrix.tsx'
import { focusFloor } from './matrix/use-roving.ts'
import { floorOfNeed, needsIn, openOfEvent } from './open-tasks/open-tasks-in.ts'
import { NeedsList } from './open-tasks/open-tasks-list.tsx'
import { SidePanel } from './panel/panel-frame.tsx'
import { type Selection, selectionOf } from './panel/selected-floor.ts'
import { Legend } from './parts/legend.tsx'
import { sayOfAll } from './parts/say.ts'
import { Totals } from './parts/totals.tsx'
import { eventSeconds, type Picture } from './reading/board-snapshot.ts'
import { useLater } from './reading/use-later.ts'

interface DeskBoardProps {
  picture: Picture
  wish: Form | null
  /** Told how the floors are drawn. */
  onForm: (form: Form) => void
}

/** Milliseconds: ages are in minutes, so the matrix need not look at the clock each second. */
const agesEvery = 5000
/** Entries before 'Show all {n}': more than a screen of 1080 px has, and few enough to be drawn in one frame. */
const mostNeeds = 20

/** The form of a desk: totals above, list and panel beside the matrix; nothing scrolls but the list. */
export function DeskBoard({ picture, wish, onForm }: DeskBoardProps) {
  const now = eventSeconds(picture, useNow(agesEvery))
  const [selection, setSelection] = useState<Selection | null>(null)
  const [areKeysOpen, setKeysOpen] = useState(false)
  // list and matrix are drawn after the totals, the matrix a few buildings at a time: no frame waits for all of them
  const later = useLater(picture)
  const nextNeed = useRef(0)
  // a floor is found in the reading whose places are drawn
  const select = (nth: number | undefined, takesFocus = false) =>
    nth !== undefined && setSelection(selectionOf(later, nth, takesFocus))
  const openNeed = (need: Need) => openOfEvent(need) || select(floorOfNeed(need, later))
  const goToNextNeed = () => {
    // a need of the whole event has no place in the matrix
    const places = needsIn(later).flatMap((need) => floorOfNeed(need, later) ?? [])
    const nth = places[nextNeed.current++ % Math.max(1, places.length)]
    if (nth === undefined) return
    focusFloor(nth)
    select(nth)
  }
  const { places } = later
  const choose = useCallback((id: string) => setSelection(selectionOf({ places }, id)), [places])
  const selected = places.buildings.flatMap(({ floors }) => floors).findIndex(({ id }) => id === selection?.id)
  return (
    <>
      <Totals picture={picture} now={now} />
      {/* the list before the matrix may have hundreds of entries */}
      <button type="button" className="bd-button bd-skip" onClick={() => focusFloor(Math.max(0, selected))}>
        Skip to the floors
      </button>
      <div className="bd-left">
        <NeedsList picture={later} now={now} onOpen={openNeed} most={mostNeeds} />
        <SidePanel
          picture={later}
          selection={selection}
          now={Date.parse(picture.board.event.began_at) + now * 1000}
          onSelect={choose}
          onBack={() => selected >= 0 && focusFloor(selected)}
        />
      </div>
      <Matrix
        picture={later}
        now={now}
        wish={wish}
        selected={selected}
        onForm={onForm}
        acts={{
          onOpen: (nth) => select(nth, true),
          onNextNeed: goToNextNeed,
          onKeys: () => setKeysOpen(true),
        }}
      />
      <Legend say={sayOfAll(later)} hasKeys />
      <KeysDialog open={areKeysOpen} onClose={() => setKeysOpen(false)} />
    </>
  )
}
