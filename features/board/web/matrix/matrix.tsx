import { type CSSProperties, useEffect, useRef } from 'react'
import type { Picture } from '../reading/board-snapshot.ts'
import { Building } from './building.tsx'
import { type Fit, type Form, fitOf } from './fit-to-screen.ts'
import type { BuildingShown } from './floors.ts'
import { useBuildings } from './use-buildings.ts'
import { useRoom } from './use-element-size.ts'
import { useRoving } from './use-roving.ts'

interface MatrixProps {
  picture: Picture
  /** Seconds since the event began. */
  now: number
  /** 'Rows' or 'Cells' of 'More'; null for what fits. */
  wish: Form | null
  selected?: number | null
  /** Told how the floors are drawn. */
  onForm?: (form: Form) => void
  /** Left out on a wall, where nothing can be pressed. */
  acts?: { onOpen: (nth: number) => void; onNextNeed: () => void; onKeys: () => void }
}

/** Each floor of each building, always at the same place. */
export function Matrix({ picture, now, wish, selected = null, onForm, acts }: MatrixProps) {
  const root = useRef<HTMLDivElement>(null)
  const room = useRoom(root)
  const buildings = useBuildings(picture)
  const handlers = useRoving(root, buildings, acts)
  const highest = Math.max(1, ...buildings.map(({ floors }) => floors.length))
  const fit = room && fitOf({ ...room, buildings: buildings.length, floors: highest }, wish)
  const form = fit?.form
  useEffect(() => {
    if (form) onForm?.(form)
  }, [form, onForm])
  return (
    <div
      ref={root}
      data-form={fit?.form}
      data-whole={fit?.isWhole}
      className="bd-matrix"
      style={fit ? sizesOf(fit, highest) : undefined}
      {...handlers}
    >
      {fit &&
        bandsOf(buildings, fit).map((band, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bands never move
          <div key={nth} className="bd-band">
            {band.map((building) => (
              <Building
                key={building.place.id}
                building={building}
                form={fit.form}
                now={fit.form === 'rows' ? now : null}
                selected={building.floors.some(({ nth: floor }) => floor === selected) ? selected : null}
              />
            ))}
          </div>
        ))}
    </div>
  )
}

const sizesOf = ({ columns, line }: Fit, highest: number) =>
  ({ '--columns': columns, '--highest': highest, '--line': `${line}px` }) as unknown as CSSProperties

/** Buildings beside each other, as many as fit; the rest below them. */
function bandsOf(buildings: readonly BuildingShown[], { columns }: Fit): BuildingShown[][] {
  const bands: BuildingShown[][] = []
  for (let first = 0; first < buildings.length; first += columns) bands.push(buildings.slice(first, first + columns))
  return bands
}
