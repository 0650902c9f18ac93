import { CountersSaid } from '#web/ui/counters-said.tsx'
import type { FloorOverview } from '../calls/floor-overview.ts'
import { floorColour } from './floor-colours.ts'
import { worstLeft } from './unresolved.tsx'

/** Number of floors per status, in the organisation's order. */
export function FloorStatusBar({ data: { floors, floor_status } }: { data: FloorOverview }) {
  const shares = [...floor_status]
    .sort((a, b) => a.label.display_order - b.label.display_order)
    .map((status) => {
      const { id, name, label } = status
      const own = floors.filter((floor) => floor.status === id)
      return {
        id,
        name,
        fill: floorColour(label.colour).fill,
        count: own.length,
        unresolved: own.filter(({ stats }) => worstLeft(status, stats)).length,
      }
    })
  return (
    <section aria-label="Floors by status" className="grid gap-2">
      <CountersSaid counters={shares.map(({ name, count }) => [name, count])} />
      <div aria-hidden data-bar className="flex overflow-hidden rounded-full bg-raised">
        {shares
          .filter(({ count }) => count > 0)
          .map(({ id, fill, count }) => (
            <span key={id} className={`py-2 ${fill}`} style={{ flexGrow: count }} />
          ))}
      </div>
      <ul className="flex flex-wrap gap-3">
        {shares.map(({ id, name, fill, count, unresolved }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span aria-hidden data-bar className={`size-4 shrink-0 rounded-full border border-line ${fill}`} />
            {name} <strong className="tabular-nums">{count}</strong>
            {unresolved > 0 && <strong className="text-danger-ink">({unresolved} not clear)</strong>}
          </li>
        ))}
      </ul>
    </section>
  )
}
