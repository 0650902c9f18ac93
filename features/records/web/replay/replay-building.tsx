import { UserCheck, UserX } from 'lucide-react'
import { memo } from 'react'
import { safetyStatuses } from '#kernel/vocabulary.ts'
import { formatCount } from '#web/lib/counts.ts'
import type { RecordReplay } from '../../calls/replay.ts'
import { useSay } from '../parts/say.ts'
import type { Cell, Place } from './replay-board.ts'

interface BuildingProps {
  name: string
  places: readonly { place: Place; cell: Cell }[]
  statuses: RecordReplay['statuses']
  /** Why it is not in the event now. Its last counts stay. */
  absence: string | undefined
}

/** A building, floors from the top down. */
export function Building({ name, places, statuses, absence }: BuildingProps) {
  const say = useSay()
  const all = { safe: 0, unknown: 0, danger: 0 }
  for (const { cell } of places) for (const status of safetyStatuses) all[status] += cell[status]
  return (
    <section aria-label={name} className="card grid grid-cols-1 content-start gap-2">
      <h2 className="text-lg font-bold">{name}</h2>
      <p className="text-sm" data-total>
        {say(wordsOf(all))}
      </p>
      <ul className="rpl-floors">
        {places.map(({ place, cell }) => (
          <Floor key={place.id} place={place} cell={cell} status={statuses[cell.status]} absence={absence} />
        ))}
      </ul>
    </section>
  )
}

interface FloorProps {
  place: Place
  cell: Cell
  status: RecordReplay['statuses'][number] | undefined
  absence: string | undefined
}

/** Drawn again only when it changed: 400 floors take 20 steps a second. */
const Floor = memo(function Floor({ place, cell, status, absence }: FloorProps) {
  const say = useSay()
  const WardenIcon = cell.warden ? UserCheck : UserX
  return (
    <li className="rpl-floor" data-absent={absence && true}>
      <span className="font-semibold">{place.name ?? 'Without a floor'}</span>
      {absence && <span className="justify-self-end">{absence}</span>}
      {status && !absence && (
        <span className="flex items-center gap-2 justify-self-end">
          <span aria-hidden className="rpl-colour" style={{ backgroundColor: status.colour }} />
          {status.name}
        </span>
      )}
      {place.name !== null && !absence && (
        <span className={cell.warden ? 'rpl-warden text-safe' : 'rpl-warden text-muted'}>
          <WardenIcon aria-hidden size={18} className="shrink-0" />
          {cell.warden ? 'Warden' : 'No warden'}
        </span>
      )}
      <Bar cell={cell} />
      <span className="rpl-counts text-sm">{say(wordsOf(cell))}</span>
    </li>
  )
})

function Bar({ cell }: { cell: Cell }) {
  return (
    <span aria-hidden data-bar className="rpl-bar">
      {safetyStatuses.map(
        (status) =>
          cell[status] > 0 && (
            <span key={status} className="rec-swatch" data-status={status} style={{ flexGrow: cell[status] }} />
          ),
      )}
    </span>
  )
}

/** '12 safe, 2 unknown, 0 in danger'. */
const wordsOf = ({ safe, unknown, danger }: Pick<Cell, 'safe' | 'unknown' | 'danger'>) =>
  safe + unknown + danger === 0
    ? 'No one'
    : `${formatCount(safe)} safe, ${formatCount(unknown)} unknown, ${formatCount(danger)} in danger`
