import { useMemo } from 'react'
import type { Say } from '#kernel/action-words.ts'
import { markWords } from '../matrix/floor-words.ts'
import {
  type BuildingShown,
  buildingsOf,
  clearedOf,
  dangerOf,
  type FloorShown,
  isCalm,
  realFloorsOf,
} from '../matrix/floors.ts'
import { Marks } from '../matrix/marks.tsx'
import { ageOf } from '../matrix/row.tsx'
import { Sign } from '../parts/sign.tsx'
import { signOf, toneOf } from '../parts/status-looks.ts'
import type { Picture } from '../reading/board-snapshot.ts'

interface BuildingCardsProps {
  picture: Picture
  /** Seconds since the event began. */
  now: number
  /** Left out on a wall. */
  onOpen?: ((nth: number) => void) | undefined
}

/** The form of a phone: a skyline a building, and below it the floors with something to do. */
export function BuildingCards({ picture, now, onOpen }: BuildingCardsProps) {
  const buildings = useMemo(() => buildingsOf(picture), [picture])
  return (
    <div className="bd-cards">
      {buildings.map((building) => (
        <BuildingCard key={building.place.id} building={building} now={now} onOpen={onOpen} />
      ))}
    </div>
  )
}

function BuildingCard({ building, now, onOpen }: Omit<BuildingCardsProps, 'picture'> & { building: BuildingShown }) {
  const { place, gap, floors, say } = building
  const danger = dangerOf(building)
  const open = floors.filter((shown) => !isCalm(shown))
  return (
    <section aria-label={place.name} className="bd-card bd-building-card">
      <header>
        <h2>{place.name}</h2>
        <p>{say(`${clearedOf(building)} of ${realFloorsOf(building)} cleared`)}</p>
        {gap !== undefined && <span className="bd-no-warden bd-tag">No warden</span>}
        {danger > 0 && <span className="bd-danger bd-tag">{say(`${danger} in danger`)}</span>}
      </header>
      <Skyline floors={floors} />
      {open.length === 0 && <p className="bd-nothing">Nothing to do here.</p>}
      <ul>
        {open.map((shown) => (
          <li key={shown.place.id}>
            <FloorLine shown={shown} say={say} now={now} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A bar a floor from the ground up: its height the unknown, a red cap danger. */
function Skyline({ floors }: { floors: readonly FloorShown[] }) {
  const most = Math.max(1, ...floors.map(({ floor }) => floor.unknown ?? 0))
  return (
    <div aria-hidden className="bd-skyline">
      {floors.toReversed().map(({ place, floor, status }) => (
        <i
          key={place.id}
          className={status ? toneOf(status.colour) : 'bd-grey'}
          data-danger={floor.danger ? '' : undefined}
          style={{ height: `${12 + ((floor.unknown ?? 0) / most) * 32}px` }}
        />
      ))}
    </div>
  )
}

function FloorLine({ shown, say, now, onOpen }: Omit<BuildingCardsProps, 'picture'> & { shown: FloorShown; say: Say }) {
  const { floor, place, status, nth } = shown
  const { age, isLate } = ageOf(shown, now)
  const { unknown = 0, danger = 0, by } = floor
  const people = [danger > 0 && say(`${danger} in danger`), `${unknown} unknown`].filter(Boolean).join(', ')
  const line = (
    <>
      <i aria-hidden className={`bd-stripe ${status ? toneOf(status.colour) : ''}`} />
      <b>{place.name}</b>
      <span className="bd-people">{people}</span>
      <span className={`bd-status ${status ? toneOf(status.colour) : ''}`}>
        {status && <Sign name={signOf(status)} />}
        {status?.name ?? 'People without a floor'}
        {status && (
          <span className={isLate ? 'bd-age bd-late' : 'bd-age'}>
            {age}
            {by && <sup>{by}</sup>}
          </span>
        )}
      </span>
      <span className="bd-line-marks">
        {floor.gap !== undefined && <span className="bd-number bd-no-warden">0</span>}
        <span aria-hidden>
          <Marks shown={shown} />
        </span>
        <span className="sr-only">
          {[floor.gap !== undefined && 'no warden', ...markWords(shown).map(say)].filter(Boolean).join(', ')}
        </span>
      </span>
    </>
  )
  if (!onOpen) return <div className="bd-floor-line">{line}</div>
  return (
    <button type="button" className="bd-floor-line" data-nth={nth} onClick={() => onOpen(nth)}>
      {line}
    </button>
  )
}
