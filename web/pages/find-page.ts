import { type Address, type PageRow, pages } from './pages.ts'

const isParameter = (segment: string) => segment.startsWith('{')
/** One trailing slash is tolerated, letter case is not. */
const segmentsOf = (pathname: string) => pathname.replace(/(.)\/$/, '$1').split('/')

function fits(page: PageRow, given: string[]): boolean {
  const wanted = segmentsOf(page.path)
  return (
    wanted.length === given.length &&
    wanted.every((segment, i) => (isParameter(segment) ? given[i] !== '' : segment === given[i]))
  )
}

/** The row of an address, by path segments; a literal match wins over a parameter. */
export function findPage(pathname: string): PageRow | undefined {
  const given = segmentsOf(pathname)
  const hits = pages.filter((page) => fits(page, given))
  return hits.find((page) => !page.path.includes('{')) ?? hits[0]
}

/** The parts of an address that its page names by `{name}`. */
export function readParameters(pathname: string): Record<string, string> {
  const given = segmentsOf(pathname)
  const parameters: Record<string, string> = {}
  for (const [i, segment] of segmentsOf(findPage(pathname)?.path ?? '').entries()) {
    if (isParameter(segment)) parameters[segment.slice(1, -1)] = given[i] ?? ''
  }
  return parameters
}

/** Some pages draw their own bar. */
export const hasSharedHeader = (page: PageRow) => !page.bar

/** Pages that need no session: the login page's, and those of a link. */
export const isForVisitors = ({ access }: PageRow) => access === 'guest' || access === 'link'

/** Pages beside which the menu of a warden on duty stands, where there is room. */
export const hasRail = (page: PageRow) => !isForVisitors(page) && !page.withoutMenu && page.bar !== 'live'

/** The list that a thread stands beside, with its query. */
export function listBeside(page: PageRow, search: string): { page: PageRow; search: string } | undefined {
  const [path = '', query = ''] = page.besideList ? backTarget(page, search).split('?') : []
  const list = findPage(path)
  return list && { page: list, search: query }
}

/** real-time is off on the pages with their own bar, at the login page and on unknown addresses. */
export function isRealtimePage(pathname: string): boolean {
  const page = findPage(pathname)
  return page !== undefined && !isForVisitors(page) && page.access !== 'title-only' && page.bar !== 'own'
}

/** An in-app address of the page table, or undefined; anything else would be an open redirect. */
export function readFrom(search: string): Address | undefined {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return undefined
  return findPage(from.split(/[?#]/)[0] ?? '')?.screen && (from as Address)
}

/** Where the back arrow of a page leads. */
export function backTarget({ back }: PageRow, search: string): Address {
  const from = back?.orFrom && readFrom(search)
  return from ?? (back?.to as Address | undefined) ?? '/me/role'
}
