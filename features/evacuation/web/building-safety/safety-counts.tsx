import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BuildingUid } from '#kernel/ids.ts'
import { type SafetyStatus, type StatusTotals, safetyStatuses, statusShortLabel } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { formatCount } from '#web/lib/counts.ts'
import { type Say, useSayIn, useSayTotal } from '#web/live/response.ts'
import type { Address } from '#web/pages/pages.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import { barText, percent } from './shares.ts'

interface SafetyCountsProps {
  /** What is counted: the site or a building. */
  caption: string
  stats: StatusTotals
  /** The site's counts say their share too. */
  withShares?: boolean
  /** Each status of this building leads to the people counted. */
  building?: BuildingUid | undefined
}

/** The bar, and the same in numbers. */
export function SafetyCounts({ caption, stats, withShares = false, building }: SafetyCountsProps) {
  const [sayTotal, sayIn] = [useSayTotal(), useSayIn(building ?? null)]
  const say = building ? sayIn : sayTotal
  const canSeePeople = useAuth()?.module_access.Module_Evacuee_Safety === true
  const peopleWith = (status: SafetyStatus): Way | undefined =>
    building && canSeePeople && stats[status] > 0
      ? {
          to: `/evacuee/safety?${new URLSearchParams({ display: status, building })}`,
          label: `${formatCount(stats[status])} ${say(statusShortLabel[status])}, ${caption}`,
        }
      : undefined
  return (
    <div className="grid grid-cols-1 gap-3">
      <SafetyBar stats={stats} say={say} />
      <table className="w-full text-center">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {safetyStatuses.map((status) => {
              const { icon: Icon, className } = statusLook[status]
              return (
                <Head key={status} mark={<Icon aria-hidden size={20} className={`rounded-full ${className}`} />}>
                  {say(statusShortLabel[status])}
                </Head>
              )
            })}
            <Head mark={<Users aria-hidden size={20} className="text-muted" />}>Total</Head>
          </tr>
        </thead>
        <tbody>
          <tr>
            {safetyStatuses.map((status) => (
              <Count
                key={status}
                value={stats[status]}
                share={withShares && percent(stats[status], stats.total)}
                way={peopleWith(status)}
              />
            ))}
            <Count value={stats.total} />
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function Head({ mark, children }: { mark: ReactNode; children: string }) {
  return (
    <th
      scope="col"
      style={{ width: `${100 / (safetyStatuses.length + 1)}%` }}
      className="p-0 px-0.5 pb-1 align-bottom text-[min(0.875rem,4.4vw)] font-semibold"
    >
      <span className="grid justify-items-center gap-0.5">
        {mark}
        {children}
      </span>
    </th>
  )
}

interface Way {
  to: Address
  label: string
}
interface CountProps {
  value: number
  share?: string | false
  way?: Way | undefined
}

function Count({ value, share = false, way }: CountProps) {
  const size = value > 9999 ? 'text-[min(1rem,5vw)]' : 'text-[min(1.5rem,7.5vw)]'
  const look = `block font-bold tabular-nums ${size}`
  return (
    <td className="p-0 align-top">
      {way ? (
        <Link to={way.to} aria-label={way.label} className={`${look} min-h-12 text-link underline underline-offset-4`}>
          {formatCount(value)}
        </Link>
      ) : (
        <span className={look}>{formatCount(value)}</span>
      )}
      {share && <span className="block text-[min(0.875rem,4.4vw)] text-muted tabular-nums">{share}</span>}
    </td>
  )
}

/** The shares side by side; anyone counted at all is at least a visible sliver. */
function SafetyBar({ stats, say }: { stats: StatusTotals; say: Say }) {
  return (
    <div
      role="img"
      data-bar
      aria-label={barText(stats, say)}
      className="flex h-6 gap-0.5 overflow-hidden rounded-lg border border-line bg-raised"
    >
      {safetyStatuses
        .filter((status) => stats[status] > 0)
        .map((status) => (
          <span
            key={status}
            data-status={status}
            className={statusLook[status].className}
            style={{ flex: `${stats[status]} 0 0`, minWidth: 8 }}
          />
        ))}
    </div>
  )
}
