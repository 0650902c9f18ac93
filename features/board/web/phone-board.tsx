import { useState } from 'react'
import { useNow } from '#web/lib/time/use-now.ts'
import type { Need } from '../open-tasks.ts'
import { BuildingCards } from './frame/building-cards.tsx'
import { ManagersActs } from './frame/managers-acts.tsx'
import { floorOfNeed, openOfEvent } from './open-tasks/open-tasks-in.ts'
import { NeedsList } from './open-tasks/open-tasks-list.tsx'
import { PanelSheet } from './panel/panel-frame.tsx'
import { type Selection, selectionOf } from './panel/selected-floor.ts'
import { Totals } from './parts/totals.tsx'
import { eventSeconds, type Picture } from './reading/board-snapshot.ts'

/** Entries before 'Show all {n}'. */
const mostNeeds = 5
const agesEvery = 5000

/** The form of a phone: totals, what needs someone, then each building with its floors with something to do. */
export function PhoneBoard({ picture, onMore }: { picture: Picture; onMore: () => void }) {
  const now = eventSeconds(picture, useNow(agesEvery))
  const [selection, setSelection] = useState<Selection | null>(null)
  const open = (nth: number | undefined) => nth !== undefined && setSelection(selectionOf(picture, nth))
  const openNeed = (need: Need) => openOfEvent(need) || open(floorOfNeed(need, picture))
  return (
    <>
      <Totals picture={picture} now={now} />
      <NeedsList picture={picture} now={now} onOpen={openNeed} most={mostNeeds} />
      <BuildingCards picture={picture} now={now} onOpen={open} />
      <footer className="bd-foot pin-bottom">
        <ManagersActs />
        <button type="button" className="bd-button" aria-haspopup="dialog" onClick={onMore}>
          More
        </button>
      </footer>
      <PanelSheet
        picture={picture}
        selection={selection}
        now={Date.parse(picture.board.event.began_at) + now * 1000}
        onSelect={(id) => setSelection(selectionOf(picture, id))}
        onClose={() => setSelection(null)}
      />
    </>
  )
}
