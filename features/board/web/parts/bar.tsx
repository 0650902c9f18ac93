import { wordOfInstruction } from '#features/command/instruction-word.ts'
import { wordOf } from '#kernel/action-words.ts'
import { formatDuration } from '#web/lib/time/dates.ts'
import { clock, formatClock, formatMinute } from '#web/lib/time/server-clock.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { eventSeconds, momentOf, type Picture } from '../reading/board-snapshot.ts'
import type { Freshness } from '../reading/freshness.ts'
import { age } from './ages.ts'
import { Sign } from './sign.tsx'

/** Type, site and how long it has been going on. A long name of the site is cut, never the time. */
export function EventChip({ picture }: { picture: Picture }) {
  const now = useNow(1000)
  const { type, site, kind, began_at } = picture.board.event
  return (
    <p className="bd-event" data-kind={kind}>
      {kind === 'drill' && <span className="bd-whole">DRILL · </span>}
      <span>{`${type} · ${site.name}`}</span>
      <span className="bd-whole">
        {' · '}
        <time dateTime={began_at} className="bd-clock">
          {formatDuration(eventSeconds(picture, now))}
        </time>
      </span>
    </p>
  )
}

/** Who is in command. A screen that others see does not name them. */
export function InCommand({ picture }: { picture: Picture }) {
  const now = eventSeconds(picture, useNow(5000))
  const { command } = picture.board
  if (!command) return null
  if (command.name === null) return <span className="bd-command bd-command-vacant">No one is in command.</span>
  return (
    <span className="bd-command">
      <span>
        In command: <b>{command.name}</b>
      </span>{' '}
      {command.silent_since !== undefined && (
        <span className="bd-command-vacant">{`No contact for ${age(now - command.silent_since)}`}</span>
      )}
    </span>
  )
}

/** The newest instruction, and how many of those whom it means have understood it. */
export function Instructed({ picture }: { picture: Picture }) {
  const { instruction } = picture.board
  if (!instruction) return null
  const { kind, at, understood, meant } = instruction
  return (
    <span className="bd-instruction">
      <Sign name="flag" /> <span>{`${wordOfInstruction(kind)}, ${formatMinute(momentOf(picture, at))}: `}</span>
      <b>{`${understood} of ${meant}`}</b> understood
    </span>
  )
}

/** 'Lockdown in Tower A since 14:12': buildings whose people do something else than leave. */
export function Actions({ picture: { board, places } }: { picture: Picture }) {
  const told = board.buildings.flatMap(({ action, where, action_from }, nth) =>
    action ? [{ action, where, from: action_from ?? '', name: places.buildings[nth]?.name ?? '' }] : [],
  )
  const lines = Map.groupBy(told, ({ action, where, from }) => JSON.stringify([action, where, from]))
  if (told.length === 0) return null
  return (
    <div className="bd-actions" role="status">
      {[...lines].map(([key, all]) => {
        const [first] = all
        const names = all.map(({ name }) => name).join(', ')
        return (
          first && (
            <p key={key} data-action={first.action}>
              <Sign name="flag" />
              <b>{`${wordOf(first.action)} in ${names} since ${formatMinute(Date.parse(first.from))}`}</b>
              {first.where && <span>{first.where}</span>}
            </p>
          )
        )
      })}
    </div>
  )
}

/** The moment of the figures, by the database's clock. */
export function Live({ picture, freshness }: { picture: Picture; freshness: Freshness }) {
  const at = Date.parse(picture.board.at)
  return (
    <p className="bd-live" data-freshness={freshness}>
      <i aria-hidden />
      <span>{freshness === 'fresh' ? 'Live ' : 'As of '}</span>
      <time dateTime={picture.board.at} className="bd-clock">
        {formatClock(at)}
        {clock.nameAt(at)}
      </time>
    </p>
  )
}
