import { reportLimits } from '../kinds.ts'

/** Where a report came from. A report that a node of the version before has stored has the line alone. */
export interface From {
  line: string
  home: string
  site: string
}

/** Open reports of a line that name one place. */
export interface OpenOfLine extends From {
  place: string | null
  hasFloor: boolean
  count: number
  help: number
  inDrill: number
  newest: Date
}

/** A "safe" report that names one person. */
export interface NamingOne extends From {
  place: string | null
  hasFloor: boolean
  at: Date
}

/** Calls for help of a site that were counted beyond its limit, without those that were dismissed. */
export interface MoreOfSite {
  site: string
  more: number
  newest: Date
}

export interface OpenReports {
  rows: readonly OpenOfLine[]
  naming: readonly NamingOne[]
  more: readonly MoreOfSite[]
}

/** One entry of the list: a line, a home or a site, of each site one at most. */
export interface Group {
  name: string
  site: string
}

type Level = keyof From
const narrowerLevels: readonly Level[] = ['line', 'home']

/** The networks with too many open reports, as one entry each. A flood hides no one and is ended by one press. */
export function findGroups({ rows, naming, more }: OpenReports): Group[] {
  const namingOf = Map.groupBy(naming, ({ site }) => site)
  const ofSites = Map.groupBy(rows, ({ site }) => site)
  const groups = [...ofSites].flatMap(([site, ofSite]) => {
    const name = narrowest(site, ofSite, namingOf.get(site) ?? [])
    return name === undefined ? [] : [{ name, site }]
  })
  const grouped = new Set(groups.map(({ site }) => site))
  return [...groups, ...more.flatMap(({ site }) => (grouped.has(site) ? [] : [{ name: site, site }]))]
}

/** The line or home, if all others of the site together are few, so that no neighbour stands in the entry. Else the site. */
function narrowest(site: string, rows: readonly OpenOfLine[], naming: readonly NamingOne[]): string | undefined {
  if (!isMany(rows, naming)) return undefined
  for (const level of narrowerLevels) {
    const [most] = [...Map.groupBy(rows, (row) => row[level])].toSorted(([, a], [, b]) => countOf(b) - countOf(a))
    const name = most?.[0]
    const isIn = (of: From) => of[level] === name
    const isOut = (of: From) => of[level] !== name
    const isAlone = !isMany(rows.filter(isOut), naming.filter(isOut))
    if (name !== undefined && isAlone && isMany(rows.filter(isIn), naming.filter(isIn))) return name
  }
  return site
}

const isMany = (rows: readonly OpenOfLine[], naming: readonly NamingOne[]) =>
  countOf(rows) > reportLimits.ofOneNetwork || isBurst(naming)

export const countOf = (rows: readonly Pick<OpenOfLine, 'count'>[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0)

function isBurst(naming: readonly NamingOne[]): boolean {
  const times = naming.map(({ at }) => at.getTime()).toSorted((a, b) => a - b)
  const { namingAtOnce, namingAtOnceMs } = reportLimits
  return times.some((time, nth) => time - (times[nth - namingAtOnce] ?? Number.NEGATIVE_INFINITY) <= namingAtOnceMs)
}

/** True for a report that the entry holds. */
export const isOf = (name: string) => (from: From) => [from.line, from.home, from.site].includes(name)
