import { type StatusTotals, safetyStatuses, statusShortLabel } from '@evac/contract/vocabulary.ts'
import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { statusLook } from '../../people/status-look.ts'
import { barText, percent } from './shares.ts'

const number = new Intl.NumberFormat('en-AU')

interface SafetyCountsProps {
  /** What is counted: the site or a building. */
  caption: string
  stats: StatusTotals
  /** AMB-119: the site's counts say their share too. */
  withShares?: boolean
}

/** BLDG-03, BLDG-04: the bar, and the same in numbers. */
export function SafetyCounts({ caption, stats, withShares = false }: SafetyCountsProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <SafetyBar stats={stats} />
      <table className="w-full text-center">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {safetyStatuses.map((status) => {
              const { icon: Icon, className } = statusLook[status]
              return (
                <Head key={status} mark={<Icon aria-hidden size={20} className={`rounded-full ${className}`} />}>
                  {statusShortLabel[status]}
                </Head>
              )
            })}
            <Head mark={<Users aria-hidden size={20} className="text-muted" />}>Total</Head>
          </tr>
        </thead>
        <tbody>
          <tr>
            {safetyStatuses.map((status) => (
              <Count key={status} value={stats[status]} share={withShares && percent(stats[status], stats.total)} />
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

function Count({ value, share = false }: { value: number; share?: string | false }) {
  const isLong = value > 9999
  return (
    <td className="p-0 align-top">
      <span className={`block font-bold tabular-nums ${isLong ? 'text-[min(1rem,5vw)]' : 'text-[min(1.5rem,7.5vw)]'}`}>
        {number.format(value)}
      </span>
      {share && <span className="block text-[min(0.875rem,4.4vw)] text-muted tabular-nums">{share}</span>}
    </td>
  )
}

/** The shares side by side; whoever is counted at all is at least a visible sliver. */
function SafetyBar({ stats }: { stats: StatusTotals }) {
  return (
    <div
      role="img"
      data-bar
      aria-label={barText(stats)}
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
