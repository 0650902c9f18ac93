import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Which rows of a long list are drawn, and where. */
export interface RowWindow {
  rows: readonly VirtualItem[]
  height: number
  /** Where the list begins in the page: the rows' `start` counts from the top of the page. */
  top: number
  /** Ref of each row, so that its real height becomes known. */
  measure: (row: HTMLLIElement | null) => void
}

export interface RowWindowProps {
  list: RefObject<HTMLUListElement | null>
  keys: readonly string[]
  /** A row that stays drawn wherever the page is scrolled to, with its neighbours for Tab; -1: none. */
  kept: number
  /** Null once the list is short again. Must be stable. */
  onChange: (window: RowWindow | null) => void
}

/** Rows drawn above and below the screen, so that a screen reader and a quick thumb find them there. */
const beside = 6

/** Follows the page's scroll; draws nothing itself, so that a list that grows long keeps its rows, and their focus. */
export function FollowRows({ list, keys, kept, onChange }: RowWindowProps) {
  const { heightOf, forget } = useKnownHeights(list, keys)
  const [top, setTop] = useState(() => topOf(list.current))
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: keys.length,
    getItemKey: useCallback((index) => keys[index] ?? index, [keys]),
    estimateSize: heightOf,
    overscan: beside,
    scrollMargin: top,
    rangeExtractor: useCallback((range: Range) => withKept(defaultRangeExtractor(range), kept, range.count), [kept]),
  })

  const rows = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()
  useLayoutEffect(() => {
    // Before it knows the screen it would draw nobody, and the focus would be lost with its row.
    if (rows.length > 0) onChange({ rows, height, top, measure: virtualizer.measureElement })
  }, [onChange, virtualizer, rows, height, top])
  useLayoutEffect(() => () => onChange(null), [onChange])

  useOwnScrollAnchor()
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
      if (first && window.scrollY > now) virtualizer.scrollToIndex(first.index, { align: 'start' })
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list, virtualizer, forget])

  return null
}

const topOf = (list: Element | null) => (list ? list.getBoundingClientRect().top + window.scrollY : 0)

function withKept(drawn: number[], kept: number, count: number): number[] {
  if (kept < 0) return drawn
  const more = [kept - 1, kept, kept + 1].filter((index) => index >= 0 && index < count)
  return [...new Set([...drawn, ...more])].sort((a, b) => a - b)
}

/** Rows that were drawn before keep their height; the others are taken to be like most of those. */
function useKnownHeights(list: RefObject<HTMLUListElement | null>, keys: readonly string[]) {
  const known = useRef<{ heights: ReadonlyMap<string, number>; usual: number }>(undefined)
  const heightOf = useCallback(
    (index: number) => {
      known.current ??= heightsIn(list.current)
      return known.current.heights.get(keys[index] ?? '') ?? known.current.usual
    },
    [list, keys],
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
