import { Sign } from '../parts/sign.tsx'
import type { FloorShown } from './floors.ts'

/** What a floor needs, with numbers; a missing mark is nothing. Calls for help stand beside the count of people. */
export function Marks({ shown: { floor, calls } }: { shown: FloorShown }) {
  const { contradictions, plans, refused, unanswered, text_failed } = floor
  return (
    <span className="bd-marks">
      {calls > 0 && (
        <span className="bd-call">
          <Sign name="help" />
          {calls}
        </span>
      )}
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
