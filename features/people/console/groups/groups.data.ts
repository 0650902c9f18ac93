import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { GroupUid, PersonUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { addGroup, changeGroup, GroupRow, getGroup, listGroups } from '../../calls/groups.ts'
import type { PersonRow } from '../../calls/people.ts'

export type { GroupRow, PersonRow }
export type GroupsQuery = CallInput<typeof listGroups>['query']
export type Group = CallReply<typeof getGroup>
export type GroupChange = CallInput<typeof changeGroup>['body']

export const groupsQuery = (query: GroupsQuery) =>
  queryOptions({
    queryKey: ['groups', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/groups', { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const groupQuery = (uid: GroupUid) =>
  queryOptions({
    queryKey: ['group', uid],
    queryFn: ({ signal }) => consoleCall('GET /api/console/groups/:uid', { params: { uid } }, { signal }),
  })

/** Members, inactive ones too. */
export const membersQuery = (group: GroupUid, query: { q?: string; after?: string; before?: string }) =>
  queryOptions({
    queryKey: ['people', { group, ...query }],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/people', { query: { ...query, group, state: 'all' } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Everything that shows groups or their members reads again. */
export const readGroupsAgain = (client: QueryClient) =>
  Promise.all(
    ['groups', 'group', 'people', 'people-choices', 'administrators'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  )

export const addNewGroup = (body: CallInput<typeof addGroup>['body']) =>
  consoleCall('POST /api/console/groups', { body })
export const changeGroupTo = (uid: GroupUid, body: GroupChange, sending: { headers: Record<string, string> }) =>
  consoleCall('POST /api/console/groups/:uid', { params: { uid }, body }, sending)
export const setMembers = (uid: GroupUid, { add = [], remove = [] }: { add?: PersonUid[]; remove?: PersonUid[] }) =>
  consoleCall('POST /api/console/groups/:uid/members', { params: { uid }, body: { add, remove } })
