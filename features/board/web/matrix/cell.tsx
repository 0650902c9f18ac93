import { memo } from 'react'
import { Sign } from '../parts/sign.tsx'
import { toneOf } from '../parts/status-looks.ts'
import { FloorCell } from './floor-cell.tsx'
import { floorWords } from './floor-words.ts'
import { type FloorShown, isCalm } from './floors.ts'
import { type FloorProps, isSameFloor } from './row.tsx'

/** Stripe, worst mark, unknown. A floor without mark or count has no box for it: a thousand floors are drawn. */
export const Cell = memo(function Cell({ building, shown, isSelected }: FloorProps) {
  const { floor, short, status, nth } = shown
  const { danger = 0, unknown = 0 } = floor
  const words = floorWords(building, shown, shown.say)
  return (
    <FloorCell
      nth={nth}
      isSelected={isSelected}
      label={words}
      title={words}
      className={`bd-cell ${status ? toneOf(status.colour) : ''} ${isCalm(shown) ? 'bd-calm' : ''} ${danger > 0 ? 'bd-bad' : ''}`}
    >
      <span className="bd-floor">{short}</span>
      <WorstMark shown={shown} />
      {unknown > 0 && (
        <span className="bd-count-of-cell" data-long={unknown > 99 || undefined}>
          {unknown > 999 ? '1k+' : unknown}
        </span>
      )}
    </FloorCell>
  )
}, isSameFloor)

/** The worst of danger, call for help, contradiction, plan and no warden. */
function WorstMark({ shown: { floor, calls } }: { shown: FloorShown }) {
  const { danger, contradictions, plans, gap } = floor
  if (danger) return <span className="bd-mark bd-danger">{danger > 99 ? '!' : danger}</span>
  if (calls > 0)
    return (
      <span className="bd-mark bd-call">
        <Sign name="help" />
      </span>
    )
  if (contradictions)
    return (
      <span className="bd-mark bd-conflict">
        <Sign name="conflict" />
      </span>
    )
  if (plans)
    return (
      <span className="bd-mark bd-plan">
        <Sign name="plan" />
      </span>
    )
  if (gap !== undefined) return <span className="bd-mark bd-no-warden">0</span>
  return null
}
