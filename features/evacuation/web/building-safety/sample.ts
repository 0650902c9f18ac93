import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import type { SafetySummary } from '../../calls/building-safety.ts'

const stats = { safe: 60, unknown: 30, danger: 10, total: 100 }

/** The initial state. It gives the layout, is drawn greyed as 'Sample', and never beside an answer. */
export const sample: SafetySummary = {
  site: { id: 'sample' as SiteUid, name: 'Sample' },
  total: stats,
  buildings: [{ id: 'sample' as BuildingUid, name: 'Sample', stats, duration: 0 }],
}
