import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { BuildingShown } from './floors.ts'
import { floorAfter } from './matrix-keys.ts'

interface Acts {
  onOpen: (nth: number) => void
  onNextNeed: () => void
  onKeys: () => void
}

const cellAt = (root: HTMLElement | null, nth: number) => root?.querySelector<HTMLElement>(`[data-nth="${nth}"]`)

/** Puts the focus on a floor of the matrix, wherever the focus is. */
export function focusFloor(nth: number) {
  const cell = document.querySelector<HTMLElement>(`[data-nth="${nth}"]`)
  cell?.focus()
  return cell != null
}

/**
 * The matrix is one stop of the keyboard. Which floor has it is kept in the page, not in React: a press of an
 * arrow draws nothing anew.
 */
export function useRoving(root: RefObject<HTMLElement | null>, buildings: readonly BuildingShown[], acts?: Acts) {
  const current = useRef(0)
  const isInteractive = acts !== undefined
  useLayoutEffect(() => {
    if (!isInteractive) return
    if (root.current?.querySelector('[data-nth][tabindex="0"]')) return
    const cell = cellAt(root.current, current.current) ?? root.current?.querySelector<HTMLElement>('[data-nth]')
    if (cell) cell.tabIndex = 0
  })

  const stopAt = (cell: HTMLElement) => {
    for (const other of root.current?.querySelectorAll<HTMLElement>('[data-nth][tabindex="0"]') ?? [])
      other.tabIndex = -1
    cell.tabIndex = 0
    current.current = Number(cell.dataset.nth)
  }
  const handleKey = (event: KeyboardEvent) => {
    const nth = Number((event.target as HTMLElement).dataset.nth)
    if (Number.isNaN(nth) || event.altKey || event.metaKey) return
    if (event.key === 'Enter' || event.key === ' ') acts?.onOpen(nth)
    else if (event.key.toLowerCase() === 'g' && !event.ctrlKey) acts?.onNextNeed()
    else if (event.key === '?') acts?.onKeys()
    else {
      const next = floorAfter(event, nth, buildings)
      if (next === undefined) return
      cellAt(root.current, next)?.focus()
    }
    event.preventDefault()
  }
  const ofTarget = (act: (cell: HTMLElement) => void) => (event: { target: EventTarget }) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-nth]')
    if (cell) act(cell)
  }
  if (!acts) return {}
  return {
    onKeyDown: handleKey,
    onFocus: ofTarget(stopAt),
    onClick: ofTarget((cell) => acts.onOpen(Number(cell.dataset.nth))),
  }
}
