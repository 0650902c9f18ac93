import { type ComponentType, type RefObject, useEffect, useState } from 'react'
import { useIsWide } from '../lib/use-is-wide.ts'
import { peopleInView } from '../reads/people-in-view.ts'
import type { RowWindow, RowWindowProps } from './row-window.tsx'

/** Lists up to here are drawn whole. */
const shortList = { narrow: 60, wide: 400 }

type Follow = ComponentType<RowWindowProps>

/** What of a list is drawn. Rows far from the screen of a long one are left out; the row that had the focus last is not. */
export function useRowWindow(list: RefObject<HTMLUListElement | null>, keys: readonly string[]) {
  const short = useIsWide() ? shortList.wide : shortList.narrow
  const isLong = keys.length > short
  const follow = useFollow(isLong)
  const [window, setWindow] = useState<RowWindow | null>(null)

  useTellView(isLong ? window : null, keys)

  return {
    window: isLong ? window : null,
    /** How many are drawn while there is no window. */
    upTo: isLong && follow !== 'missing' ? short : keys.length,
    Follow: isLong && follow !== 'missing' ? follow : undefined,
    followProps: { list, keys, onChange: setWindow },
  }
}

const rest = 200

/** Anyone who reads the list again reads these. */
function useTellView(window: RowWindow | null, keys: readonly string[]) {
  useEffect(() => {
    if (!window) return
    const tell = () => peopleInView.set(window.people.flatMap(({ index }) => keys[index] ?? []))
    const timer = setTimeout(tell, rest)
    return () => clearTimeout(timer)
  }, [window, keys])
  const hasWindow = window !== null
  useEffect(() => {
    if (hasWindow) return () => peopleInView.set([])
  }, [hasWindow])
}

/** Fetched for the first long list; where it cannot be had, the whole list is drawn. */
function useFollow(wanted: boolean): Follow | 'missing' | undefined {
  const [follow, setFollow] = useState<{ rows: Follow | 'missing' }>()
  useEffect(() => {
    if (!wanted || follow) return
    const life = new AbortController()
    const arrive = (rows: Follow | 'missing') => life.signal.aborted || setFollow({ rows })
    import('./row-window.tsx').then(
      ({ FollowRows }) => arrive(FollowRows),
      () => arrive('missing'),
    )
    return () => life.abort()
  }, [wanted, follow])
  return follow?.rows
}
