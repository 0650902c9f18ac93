import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { getCoverage } from '#features/coverage/calls/coming-days.ts'
import type { AssignmentUid, BuildingUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { CallInput, CallReply, GivenInput } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type {
  AssignmentRow,
  changeAssignment,
  changeRole,
  listAssignments,
  offerRole,
  RoleRow,
} from '../calls/wardens.ts'

export type { AssignmentRow, RoleRow }
export type Coverage = CallReply<typeof getCoverage>
export type AssignmentsQuery = CallInput<typeof listAssignments>['query']
export type Offer = GivenInput<typeof offerRole>['body']
export type RoleChange = GivenInput<typeof changeRole>['body']

/** Answers from phones show within 15 s. */
const answersPoll = 15_000

/** Names of the filters and the order of assignments in the address. */
export const assignmentFilters = ['site', 'role', 'state', 'day', 'person', 'sort'] as const

export const assignmentsQuery = (query: AssignmentsQuery) =>
  queryOptions({
    queryKey: ['assignments', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/assignments', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: answersPoll,
  })

export const coverageQuery = (query: { site: SiteUid; day?: string; building?: BuildingUid }) =>
  queryOptions({
    queryKey: ['coverage', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/coverage', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: answersPoll,
  })

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/roles', {}, { signal }),
})

export const sitesQuery = queryOptions({
  queryKey: ['places'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/places', {}, { signal }),
  select: ({ sites }) => sites.filter(({ retired_at }) => retired_at === null),
})

/** Buildings and floors of a site that are in use. */
export const placesQuery = (site: SiteUid | undefined) =>
  queryOptions({
    queryKey: ['places', site],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/places', { query: site === undefined ? {} : { site } }, { signal }),
    enabled: site !== undefined,
  })

/** Everything that shows assignments reads again. */
export const readWardensAgain = (client: QueryClient) =>
  Promise.all(
    ['assignments', 'coverage', 'roles', 'places', 'now', 'people', 'person'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  )

export const downloadAssignments = ({ after: _, before: __, ...body }: AssignmentsQuery) =>
  consoleCall('POST /api/console/assignments/file', { body })
export const offer = (body: Offer) => consoleCall('POST /api/console/assignments/offer', { body })
export const changeTo = (uid: AssignmentUid, body: GivenInput<typeof changeAssignment>['body']) =>
  consoleCall('POST /api/console/assignments/:uid', { params: { uid }, body })
export const withdraw = (uid: AssignmentUid, reason: string) =>
  consoleCall('POST /api/console/assignments/:uid/withdraw', { params: { uid }, body: { reason } })
export const addRole = (body: Pick<RoleChange, 'name' | 'domain' | 'modules'>) =>
  consoleCall('POST /api/console/roles', { body })
export const changeRoleTo = (uid: WardenRoleUid, body: RoleChange) =>
  consoleCall('POST /api/console/roles/:uid', { params: { uid }, body })

export const startsEvents = ({ modules }: RoleRow) => modules.includes('Event_Management')
