import { formatMoment } from '#web/lib/time/server-clock.ts'
import type { ReaderKind } from '../kinds.ts'
import type { Packs } from './arrival-pack.data.ts'

const nameless: Record<ReaderKind, string> = {
  own: 'No name given',
  others: 'Further readers, without a name',
  printed: 'Printed',
}

/** Who has opened a pack of the event. */
export function Readers({ readers }: Pick<Packs, 'readers'>) {
  return (
    <section aria-labelledby="readers" className="grid grid-cols-1 gap-2">
      <h2 id="readers" className="text-lg font-bold">
        Readers
      </h2>
      {readers.length === 0 && <p className="text-muted">No one has opened it yet.</p>}
      <ul aria-labelledby="readers" className="grid grid-cols-1 gap-3">
        {readers.map(({ pack, kind, name, network, browser, first_at, last_at, times }) => (
          <li key={`${pack} ${kind} ${first_at} ${network} ${name}`} className="card">
            <strong className="block wrap-anywhere">{name || nameless[kind]}</strong>
            <span className="block text-sm text-muted">{[browser, network].filter(Boolean).join(', ')}</span>
            <span className="block text-sm">
              First {formatMoment(new Date(first_at))}, last {formatMoment(new Date(last_at))},{' '}
              {times === 1 ? 'once' : `${times} times`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
