import { type StatusTotals, safetyStatuses, statusShortLabel } from '#kernel/vocabulary.ts'
import type { Say } from '#web/live/response.ts'

/** Whole percent. Never 0 % while there is someone, never 100 % while someone is missing: one person in danger counts. */
export function percent(part: number, total: number): string {
  if (part === 0 || total === 0) return '0%'
  const rounded = Math.round((part * 100) / total)
  if (rounded === 0) return '<1%'
  return rounded === 100 && part < total ? '>99%' : `${rounded}%`
}

/** The bar in words. */
export const barText = (stats: StatusTotals, say: Say): string =>
  stats.total === 0
    ? 'No one'
    : safetyStatuses
        .map((status) => `${say(statusShortLabel[status])} ${percent(stats[status], stats.total)}`)
        .join(', ')
