import { memo } from 'react'
import { wordOfInstruction } from '#features/command/instruction-word.ts'
import { shortAge } from '../parts/ages.ts'
import { Sign } from '../parts/sign.tsx'
import { signOf, statusWord, toneOf } from '../parts/status-looks.ts'
import { FloorCell } from './floor-cell.tsx'
import { floorWords } from './floor-words.ts'
import { type FloorShown, isCalm, isSameShown } from './floors.ts'
import { Marks } from './marks.tsx'

export interface FloorProps {
  building: string
  shown: FloorShown
  /** '–' before the first change. */
  age: string
  isLate: boolean
  isSelected: boolean
  /** Covered with its whole building. */
  isWhole: boolean
}

/** Seconds after which the age of a floor that is not cleared is bold. */
const lateAfter = 15 * 60

export function ageOf({ floor, status }: FloorShown, now: number | null) {
  if (!status || now === null) return { age: '', isLate: false }
  if (floor.since === undefined) return { age: '–', isLate: false }
  const seconds = now - floor.since
  return { age: shortAge(seconds), isLate: !status.means_clear && seconds > lateAfter }
}

/** Drawn again only when something of it changed: a refresh of a thousand floors draws those few. */
export const isSameFloor = (a: FloorProps, b: FloorProps) =>
  isSameShown(a.shown, b.shown) &&
  a.building === b.building &&
  a.age === b.age &&
  a.isLate === b.isLate &&
  a.isSelected === b.isSelected &&
  a.isWhole === b.isWhole

/** Focus and presses are the matrix's (matrix-keys.ts). */
export const Row = memo(function Row({ building, shown, age, isLate, isSelected, isWhole }: FloorProps) {
  const { floor, place, status, nth } = shown
  const { danger = 0, unknown = 0, by } = floor
  const tone = status ? toneOf(status.colour) : ''
  return (
    <FloorCell
      nth={nth}
      isSelected={isSelected}
      label={floorWords(building, shown, shown.say)}
      title={status ? `${place.name}: ${status.name}` : place.name}
      className={`bd-row ${isCalm(shown) ? 'bd-calm' : ''} ${danger > 0 ? 'bd-bad' : ''}`}
    >
      <i className={`bd-stripe ${tone}`} />
      <span className="bd-floor">{shown.short}</span>
      <span className="bd-name">{place.name}</span>
      <span className={`bd-status ${tone}`}>
        {status && <Sign name={signOf(status)} />}
        <span className="bd-word">{status ? statusWord(status.name) : 'No floor'}</span>
        <span className="bd-words">{status?.name ?? 'People without a floor'}</span>
        {floor.told && <b className="bd-letter">{wordOfInstruction(floor.told).charAt(0)}</b>}
      </span>
      <span className={`bd-age ${isLate ? 'bd-late' : ''}`}>
        <span>{age}</span>
        {by && <sup>{by}</sup>}
      </span>
      <Bar safe={floor.safe ?? 0} unknown={unknown} danger={danger} />
      <Count count={unknown} className="bd-unknown" />
      <Count count={danger} className="bd-danger" />
      {status ? <Wardens shown={shown} isWhole={isWhole} /> : <span />}
      <Marks shown={shown} />
    </FloorCell>
  )
}, isSameFloor)

/** A zero is '·'. */
const Count = ({ count, className }: { count: number; className: string }) => (
  <span className={count > 0 ? `bd-number ${className}` : 'bd-number bd-zero'}>{count > 0 ? short(count) : '·'}</span>
)

/** Four characters at most. */
const short = (count: number) => (count > 9999 ? `${Math.floor(count / 1000)}k` : String(count))

function Wardens({ shown: { floor }, isWhole }: { shown: FloorShown; isWhole: boolean }) {
  const { wardens = 0, gap, claimed } = floor
  if (gap !== undefined) return <span className="bd-number bd-no-warden">0</span>
  if (wardens > 0) return <span className={`bd-number ${claimed ? 'bd-claimed' : ''}`}>{wardens}</span>
  return <span className="bd-number bd-zero">{isWhole ? '–' : '·'}</span>
}

function Bar({ safe, unknown, danger }: { safe: number; unknown: number; danger: number }) {
  const least = (safe + unknown + danger) * 0.09
  return (
    <span className="bd-bar" data-bar>
      {safe > 0 && <i className="bd-green" style={{ flexGrow: safe }} />}
      {unknown > 0 && <i className="bd-yellow" style={{ flexGrow: unknown }} />}
      {danger > 0 && <i className="bd-red" style={{ flexGrow: Math.max(danger, least) }} />}
    </span>
  )
}
