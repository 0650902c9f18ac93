import { formatMoment } from '#web/lib/time/server-clock.ts'
import { useSayTotal } from '#web/live/response.ts'
import type { CommandState } from './command.data.ts'
import { beginningWords, countWords } from './command-words.ts'

/** Who led from when to when, with what went along. */
export function Turns({ turns }: { turns: CommandState['turns'] }) {
  const say = useSayTotal()
  return (
    <section aria-label="Turns" className="card grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Who has led</h2>
      <ol className="grid grid-cols-1 gap-2">
        {turns.map(({ uid, name, role, began_at, ended_at, how, note, counts }) => (
          <li key={uid} className="border-t border-hairline pt-2 wrap-anywhere">
            <p className="leading-snug font-bold">
              {name ?? 'No one'}
              {role && <span className="font-normal text-muted">, {role}</span>}
            </p>
            <p className="text-sm text-muted tabular-nums">
              {beginningWords[how]}, {formatMoment(new Date(began_at))} to{' '}
              {ended_at ? formatMoment(new Date(ended_at)) : 'now'}
            </p>
            {note && <p className="mt-1 whitespace-pre-line">{note}</p>}
            {counts && <p className="mt-1 text-sm text-muted tabular-nums">{countWords(counts, say)}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
