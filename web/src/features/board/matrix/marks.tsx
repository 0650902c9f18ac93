import type { BoardFloor } from '@evac/contract/calls/board.ts'
import { Sign } from '../parts/sign.tsx'

/** BOARD-10: what a floor needs, with numbers; a missing mark is nothing. */
export function Marks({ floor }: { floor: BoardFloor }) {
  const { contradictions, plans, refused, unanswered, text_failed } = floor
  return (
    <span className="bd-marks">
      {contradictions && (
        <span className="bd-conflict">
          <Sign name="conflict" />
          {contradictions > 1 && contradictions}
        </span>
      )}
      {plans && (
        <span className="bd-plan">
          <Sign name="plan" />
          {plans}
        </span>
      )}
      {refused && (
        <span>
          <Sign name="refused" />
          {refused}
        </span>
      )}
      {unanswered && (
        <span>
          <Sign name="message" />
          {unanswered}
        </span>
      )}
      {text_failed && (
        <span>
          <Sign name="failed" />
          {text_failed}
        </span>
      )}
    </span>
  )
}
