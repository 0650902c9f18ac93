import { startTransition, useEffect, useMemo, useState } from 'react'
import type { Picture } from '../reading/board-snapshot.ts'
import { pause } from '../reading/use-later.ts'
import { type BuildingShown, buildingsOf } from './floors.ts'

/** Buildings that change in one frame. */
const most = 9

/** The buildings of a reading. New counts are drawn a few buildings a frame, new places at once. */
export function useBuildings(picture: Picture): readonly BuildingShown[] {
  const newest = useMemo(() => buildingsOf(picture), [picture])
  const [drawn, setDrawn] = useState(newest)
  if (!isOfPlaces(drawn, newest)) setDrawn(newest)
  useEffect(() => {
    const first = newest.findIndex((building, nth) => building !== drawn[nth])
    if (first < 0) return
    const next = [...newest.slice(0, first + most), ...drawn.slice(first + most)]
    const timer = setTimeout(() => startTransition(() => setDrawn(next)), pause)
    return () => clearTimeout(timer)
  }, [newest, drawn])
  return drawn
}

const isOfPlaces = (a: readonly BuildingShown[], b: readonly BuildingShown[]) =>
  a.length === b.length && a.every(({ place }, nth) => place === b[nth]?.place)
