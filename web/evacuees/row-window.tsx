import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

export interface PlacedPerson {
  index: number
  row: number
  /** Room in px between this row and the one drawn before it. */
  above: number
  isFirstOfRow: boolean
}

/** Which people of a long list are drawn, in rows of as many as the list has columns. */
export interface RowWindow {
  people: readonly PlacedPerson[]
  /** Of the whole list, in px. */
  height: number
  /** Ref of the first in each row, so that the row's real height becomes known. */
  measure: (row: HTMLLIElement | null) => void
}

export interface RowWindowProps {
  list: RefObject<HTMLUListElement | null>
  keys: readonly string[]
  /** Null once the list is short again. Must be stable. */
  onChange: (window: RowWindow | null) => void
}

/** Rows drawn above and below the screen, so that a screen reader and a quick thumb find them there. */
const beside = 6

/** Follows the page's scroll; draws nothing itself, so that a list that grows long keeps its rows, and their focus. */
export function FollowRows({ list, keys, onChange }: RowWindowProps) {
  const [columns, setColumns] = useState(() => columnsOf(list.current))
  const { heightOf, forget } = useKnownHeights(list, keys, columns)
  const [top, setTop] = useState(() => topOf(list.current))
  const keptRow = Math.floor(useFocusedIndex(list, keys) / columns)
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: Math.ceil(keys.length / columns),
    getItemKey: useCallback((row) => keys[row * columns] ?? row, [keys, columns]),
    estimateSize: heightOf,
    overscan: beside,
    scrollMargin: top,
    // Not rounded: the rows follow one another in the page, so the error would add up.
    measureElement: (row) => row.getBoundingClientRect().height,
    // For the same reason a row that turns out taller has moved the others already.
    useFlushSync: false,
    rangeExtractor: useCallback(
      (range: Range) => withKept(defaultRangeExtractor(range), keptRow, range.count),
      [keptRow],
    ),
  })

  const rows = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()
  const count = keys.length
  useLayoutEffect(() => {
    // Before it knows the screen it would draw no one, and the focus would be lost with its row.
    if (rows.length === 0) return
    const people = rows.flatMap(({ index: row, start }, at) => {
      const above = start - (rows[at - 1]?.end ?? top)
      const indices = Array.from({ length: columns }, (_, column) => row * columns + column)
      return indices
        .filter((index) => index < count)
        .map((index, column) => ({ index, row, above, isFirstOfRow: column === 0 }))
    })
    onChange({ people, height, measure: virtualizer.measureElement })
  }, [onChange, virtualizer, rows, height, top, columns, count])
  useLayoutEffect(() => () => onChange(null), [onChange])

  useOwnScrollAnchor()
  // The first person to be seen when the columns change.
  const seen = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (seen.current === undefined) return
    virtualizer.scrollToIndex(Math.floor(seen.current / columns), { align: 'start' })
    seen.current = undefined
  }, [virtualizer, columns])
  useLayoutEffect(() => {
    let width = list.current?.clientWidth
    const observer = new ResizeObserver(() => {
      if (!list.current) return
      const now = topOf(list.current)
      // What opens or closes above the list must not move it under the thumb.
      if (now !== virtualizer.options.scrollMargin && window.scrollY > now)
        window.scrollBy(0, now - virtualizer.options.scrollMargin)
      setTop(now)
      if (width === list.current.clientWidth) return
      width = list.current.clientWidth
      const first = virtualizer.getVirtualItemForOffset(window.scrollY)
      forget()
      virtualizer.measure()
      const next = columnsOf(list.current)
      if (!first || window.scrollY <= now) setColumns(next)
      else if (next === columns) virtualizer.scrollToIndex(first.index, { align: 'start' })
      else {
        seen.current = first.index * columns
        setColumns(next)
      }
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list, virtualizer, forget, columns])

  return null
}

/** The person whose row had the focus last stays drawn wherever the page is scrolled to, with the neighbours for Tab; -1: none. */
function useFocusedIndex(list: RowWindowProps['list'], keys: readonly string[]): number {
  const [focused, setFocused] = useState(() => keyOf(document.activeElement))
  useEffect(() => {
    const rows = list.current
    const note = ({ target }: FocusEvent) => setFocused(keyOf(target as Element))
    rows?.addEventListener('focusin', note)
    return () => rows?.removeEventListener('focusin', note)
  }, [list])
  return useMemo(() => (focused ? keys.indexOf(focused) : -1), [focused, keys])
}

const keyOf = (element: Element | null) => element?.closest<HTMLElement>('[data-key]')?.dataset.key

const topOf = (list: Element | null) => (list ? list.getBoundingClientRect().top + window.scrollY : 0)

/** As many as the list's own style makes of its width. */
const columnsOf = (list: Element | null) => (list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1)

function withKept(drawn: number[], kept: number, count: number): number[] {
  if (kept < 0) return drawn
  const more = [kept - 1, kept, kept + 1].filter((index) => index >= 0 && index < count)
  return [...new Set([...drawn, ...more])].sort((a, b) => a - b)
}

/** Rows that were drawn before keep their height; the others are taken to be like most of those. */
function useKnownHeights(list: RefObject<HTMLUListElement | null>, keys: readonly string[], columns: number) {
  const known = useRef<{ heights: ReadonlyMap<string, number>; usual: number }>(undefined)
  const heightOf = useCallback(
    (row: number) => {
      known.current ??= heightsIn(list.current)
      return known.current.heights.get(keys[row * columns] ?? '') ?? known.current.usual
    },
    [list, keys, columns],
  )
  const forget = useCallback(() => {
    known.current = undefined
  }, [])
  return { heightOf, forget }
}

function heightsIn(list: HTMLUListElement | null) {
  const heights = new Map<string, number>()
  const gap = list ? Number.parseFloat(getComputedStyle(list).rowGap) || 0 : 0
  for (const row of list?.children ?? [])
    if (row instanceof HTMLElement) heights.set(row.dataset.key ?? '', row.getBoundingClientRect().height + gap)
  const sorted = [...heights.values()].sort((a, b) => a - b)
  return { heights, usual: sorted[Math.floor(sorted.length / 2)] ?? 150 }
}

/** The browser would hold the page still a second time when a row above turns out taller than it was taken for. */
function useOwnScrollAnchor() {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.overflowAnchor = 'none'
    return () => {
      style.overflowAnchor = ''
    }
  }, [])
}
