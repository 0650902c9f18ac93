import type { Say } from '#kernel/action-words.ts'
import { Sign, type SignName } from './sign.tsx'

const marks: [SignName, string][] = [
  ['help', 'call for help'],
  ['plan', 'needs help to get out'],
  ['refused', 'refused'],
  ['message', 'unanswered'],
  ['failed', 'text not delivered'],
  ['conflict', 'contradiction'],
]
/** A public wall shows floors, statuses, numbers of people and gaps alone. */
const publicMarks: readonly SignName[] = ['refused']

interface LegendProps {
  say: Say
  isPublic?: boolean
  hasKeys?: boolean
}

/** What marks and letters mean. */
export function Legend({ say, isPublic = false, hasKeys = false }: LegendProps) {
  return (
    <p className="bd-legend">
      {marks.map(
        ([sign, words]) =>
          (!isPublic || publicMarks.includes(sign)) && (
            <span key={sign}>
              <Sign name={sign} /> {say(words)}
            </span>
          ),
      )}
      <span>
        <span className="bd-number bd-no-warden">0</span> no warden
      </span>
      <span>
        Status by: floor’s own warden, <b>b</b> other warden, <b>m</b> event manager
      </span>
      {hasKeys && <span className="bd-keys">Arrows move · Enter opens · ? keys</span>}
    </p>
  )
}
