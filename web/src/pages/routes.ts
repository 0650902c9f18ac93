import type { ModuleFlag } from '@evac/contract/vocabulary.ts'

/**
 * Who may open a page: `guest` (nobody signed in), `signed-in`, `stored-auth` (asks by way of /reportinlist, AMB-006),
 * a module flag, or `title-only` (a title without a page, AMB-005).
 */
export type Access = 'guest' | 'signed-in' | 'stored-auth' | 'title-only' | ModuleFlag

/** The route table of A§2 and B§2; `{name}` matches any one segment. */
export const routes = [
  { path: '/login', title: 'Login', access: 'guest' },
  { path: '/forgot-password', title: 'Forgot Password', access: 'guest' },
  { path: '/reset-password', title: 'New Password', access: 'guest' },
  { path: '/reportinlist', title: 'Report In List', access: 'signed-in' },
  { path: '/reportin', title: 'Report In', access: 'signed-in' },
  {
    path: '/warden-assignment/{wardenAssignmentUID}',
    title: 'Accept / Decline Warden Assignment',
    access: 'stored-auth',
  },
  { path: '/withdraw/{wardenAssignmentUID}', title: 'Withdraw from Warden Assignment', access: 'stored-auth' },
  { path: '/documents/{wardenAssignmentUID}', title: 'Documents', access: 'stored-auth' },
  { path: '/event/management', title: 'Event Management', access: 'Module_Event_Management' },
  { path: '/floor/warden/status', title: 'Floor Warden Status', access: 'Module_Floor_Warden_Status' },
  { path: '/warden/onduty', title: 'Wardens On duty', access: 'Module_Wardens_On_Duty' },
  { path: '/floor/evacuation', title: 'Floor Evacuation', access: 'Module_Floor_Evacuation' },
  { path: '/building/status', title: 'Evacuation Status', access: 'Module_Building_Evacuation_Status' },
  { path: '/evacuee/safety', title: 'Evacuee Safety', access: 'Module_Evacuee_Safety' },
  { path: '/floor/evacstatus', title: 'Floor Evac. Status', access: 'Module_Floor_Evacuation_Status' },
  { path: '/message/evacuee/{evacueeId}', title: 'Evacuee Messaging', access: 'Module_My_Messages' },
  { path: '/message/evacueegroup', title: 'Evacuee Messaging', access: 'Module_My_Messages' },
  { path: '/message/warden/{wardenId}', title: 'Warden Messaging', access: 'Module_Warden_Messaging' },
  { path: '/message/group', title: 'Warden Messages', access: 'Module_Warden_Messaging' },
  { path: '/message/all', title: 'Warden Messaging', access: 'Module_Warden_Messaging' },
  { path: '/me/role', title: 'My Role', access: 'signed-in' },
  { path: '/me/messages', title: 'My Messages', access: 'title-only' },
] as const satisfies readonly { path: string; title: string; access: Access }[]

export type Route = (typeof routes)[number]
export type RoutePath = Route['path']

const isParameter = (segment: string) => segment.startsWith('{')
/** AMB-004: one trailing slash is tolerated, letter case is not. */
const segmentsOf = (pathname: string) => pathname.replace(/(.)\/$/, '$1').split('/')

function fits(route: Route, given: string[]): boolean {
  const wanted = segmentsOf(route.path)
  return (
    wanted.length === given.length &&
    wanted.every((segment, i) => (isParameter(segment) ? given[i] !== '' : segment === given[i]))
  )
}

/** The row of an address, by path segments; a literal match wins over a parameter (AMB-003). */
export function findRoute(pathname: string): Route | undefined {
  const given = segmentsOf(pathname)
  const hits = routes.filter((route) => fits(route, given))
  return hits.find((route) => !route.path.includes('{')) ?? hits[0]
}

/** The parts of an address that its route names by `{name}`. */
export function readParameters(pathname: string): Record<string, string> {
  const given = segmentsOf(pathname)
  const parameters: Record<string, string> = {}
  for (const [i, segment] of segmentsOf(findRoute(pathname)?.path ?? '').entries()) {
    if (isParameter(segment)) parameters[segment.slice(1, -1)] = given[i] ?? ''
  }
  return parameters
}

/** SHELL-05: the header title of an address. */
export const titleOf = (pathname: string): string | undefined => findRoute(pathname)?.title

const ownBar = ['/reportinlist', '/warden-assignment', '/withdraw']
const startsWithAny = (pathname: string, prefixes: string[]) => prefixes.some((prefix) => pathname.startsWith(prefix))

/** SHELL-01..03: these pages draw their own bar. */
export const hasSharedHeader = (pathname: string) => !startsWithAny(pathname, ownBar)

/** RT-09, AMB-075: real-time is off on the pages with their own bar, at the login page and on unknown addresses. */
export function isRealtimePage(pathname: string): boolean {
  const route = findRoute(pathname)
  return route !== undefined && route.access !== 'guest' && route.access !== 'title-only' && hasSharedHeader(pathname)
}

const menuPages: readonly RoutePath[] = [
  '/me/role',
  '/event/management',
  '/floor/warden/status',
  '/floor/evacuation',
  '/floor/evacstatus',
  '/building/status',
  '/warden/onduty',
  '/evacuee/safety',
  '/message/all',
]

/** AMB-008: pages that an on-duty warden reaches by the menu, and leaves by it. */
export const isMenuPage = (path: RoutePath) => menuPages.includes(path)

const home = '/reportinlist'
const backTargets: Partial<Record<RoutePath, string>> = {
  '/reportin': home,
  '/documents/{wardenAssignmentUID}': home,
  '/me/role': home,
  '/event/management': home,
  '/message/evacueegroup': '/evacuee/safety',
  '/message/group': '/message/all',
  '/message/evacuee/{evacueeId}': '/evacuee/safety',
  '/message/warden/{wardenId}': '/message/all',
}
const takesFrom: readonly RoutePath[] = ['/message/evacuee/{evacueeId}', '/message/warden/{wardenId}']

/** AMB-010: an in-app address of the route table, or undefined; anything else would be an open redirect. */
export function readFrom(search: string): string | undefined {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return undefined
  const route = findRoute(from.split(/[?#]/)[0] ?? '')
  return route && route.access !== 'title-only' ? from : undefined
}

/** Where the back arrow leads (AMB-009, AMB-010). */
export function backTarget(path: RoutePath, search: string): string {
  const fallback = backTargets[path] ?? '/me/role'
  return takesFrom.includes(path) ? (readFrom(search) ?? fallback) : fallback
}
