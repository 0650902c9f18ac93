import type { Attendance } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { CountersSaid } from '#web/ui/counters-said.tsx'

export interface Counter {
  label: string
  value: number
  status: Attendance
}

/** How many wardens are where, in words and numbers. */
export function AttendanceCounters({ counters, total }: { counters: readonly Counter[]; total?: number }) {
  return (
    <>
      <CountersSaid counters={counters.map(({ label, value }) => [label, value])} />
      <dl aria-label="Wardens" className="flex flex-wrap gap-3">
        {counters.map(({ label, value, status }) => {
          const { icon: Icon, ink } = statusLook[status]
          return (
            <div key={label} className="flex grow flex-col-reverse">
              <dt className="text-sm leading-tight text-muted">{label}</dt>
              <dd className="flex items-center gap-1.5 text-2xl leading-tight font-bold tabular-nums">
                <Icon aria-hidden size={20} className={`shrink-0 ${value > 0 ? ink : 'text-muted'}`} />
                <span>{value}</span>
              </dd>
            </div>
          )
        })}
        {total !== undefined && (
          <div className="flex w-full items-center justify-between border-t border-hairline pt-2">
            <dt className="text-muted">Total</dt>
            <dd className="text-2xl leading-tight font-bold tabular-nums">{total}</dd>
          </div>
        )}
      </dl>
    </>
  )
}

/** The same for one line of a list. */
export function CountsLine({ onDuty, unknown, notAvailable }: Record<'onDuty' | 'unknown' | 'notAvailable', number>) {
  return (
    <span className="text-sm text-muted tabular-nums">
      <span>{`On Duty ${onDuty} · Unknown ${unknown} · `}</span>
      <span className="whitespace-nowrap">{`Not Avail. ${notAvailable}`}</span>
    </span>
  )
}

/** Off duty is red as well, so it is striped. */
const stripes = 'repeating-linear-gradient(135deg, transparent 0 6px, var(--color-surface) 6px 9px)'

/** Divided in proportion. The counters say the same in words. */
export function AttendanceBar({ counters }: { counters: readonly Counter[] }) {
  return (
    <div aria-hidden data-bar className="flex h-4 gap-1 overflow-hidden rounded-full bg-raised">
      {counters
        .filter(({ value }) => value > 0)
        .map(({ status, value }) => (
          <div
            key={status}
            data-status={status}
            className={`basis-0 ${statusLook[status].fill}`}
            style={{ flexGrow: value, backgroundImage: status === 'off_duty' ? stripes : undefined }}
          />
        ))}
    </div>
  )
}
