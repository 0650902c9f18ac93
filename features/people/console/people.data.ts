import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BuildingUid, GroupUid, PersonUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { listDuplicates, mergePeople as mergePeopleCall } from '../calls/duplicates.ts'
import type {
  addPerson as addPersonCall,
  getPerson,
  listPeople,
  listPeopleChoices,
  PersonRow,
} from '../calls/people.ts'
import type { changePeople as changePeopleCall } from '../calls/people-bulk.ts'
import type { PersonColumn } from '../words.ts'

export type { PersonRow }
export type PeopleQuery = CallInput<typeof listPeople>['query']
export type PeopleChoices = CallReply<typeof listPeopleChoices>

/** Names of the filters and the order of people in the address. */
export const peopleFilters = ['place', 'group', 'kind', 'state', 'wardens', 'sign_in', 'reach', 'sort'] as const

export const peopleQuery = (query: PeopleQuery) =>
  queryOptions({
    queryKey: ['people', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/people', { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const downloadPeople = (
  { after: _, before: __, contact: ___, ...query }: PeopleQuery,
  columns: PersonColumn[],
) => consoleCall('POST /api/console/people/file', { body: { ...query, columns } })

export const peopleChoicesQuery = queryOptions({
  queryKey: ['people-choices'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/people/choices', {}, { signal }),
})

export type Person = CallReply<typeof getPerson>
export type PersonFields = CallInput<typeof addPersonCall>['body']
interface Sending {
  headers: Record<string, string>
}

export const personQuery = (uid: PersonUid) =>
  queryOptions({
    queryKey: ['person', uid],
    queryFn: ({ signal }) => consoleCall('GET /api/console/people/:uid', { params: { uid } }, { signal }),
    // a form begins with what is stored now
    gcTime: 0,
  })

/** The newest entries of the audit log about a person. */
export const historyQuery = (person: PersonUid) =>
  queryOptions({
    queryKey: ['person', person, 'history'],
    queryFn: ({ signal }) => consoleCall('GET /api/console/audit', { query: { person } }, { signal }),
  })

export const floorsQuery = (building: string) =>
  queryOptions({
    queryKey: ['people-floors', building],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/people/floors', { query: { building: building as BuildingUid } }, { signal }),
    enabled: building !== '',
  })

export const addPerson = (body: PersonFields, sending: Sending) =>
  consoleCall('POST /api/console/people', { body }, sending)
export const changePerson = (uid: PersonUid, body: PersonFields & { version: string }, sending: Sending) =>
  consoleCall('POST /api/console/people/:uid', { params: { uid }, body }, sending)
export const setMember = (group: GroupUid, person: PersonUid, isMember: boolean) =>
  consoleCall('POST /api/console/groups/:uid/members', {
    params: { uid: group },
    body: isMember ? { add: [person], remove: [] } : { add: [], remove: [person] },
  })
export type BulkDone = CallReply<typeof changePeopleCall>
export type BulkInput = CallInput<typeof changePeopleCall>['body']
export const changePeople = (body: BulkInput) => consoleCall('POST /api/console/people/bulk', { body })
/** What it would change. Read anew each time: others change the same people. */
export const bulkDifferenceQuery = (body: BulkInput) =>
  queryOptions({
    queryKey: ['people-difference', body],
    queryFn: () => changePeople({ ...body, preview: true }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
export const invite = (uid: PersonUid) => consoleCall('POST /api/console/people/:uid/invite', { params: { uid } })
export const showInvitation = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/show-invitation', { params: { uid } })
export const sendPasswordLink = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/password-link', { params: { uid } })
export const signOutEverywhere = (uid: PersonUid, take_off_duty: boolean) =>
  consoleCall('POST /api/console/people/:uid/sign-out', { params: { uid }, body: { take_off_duty } })
export const deactivate = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/deactivate', { params: { uid } })
export const reactivate = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/reactivate', { params: { uid } })
export const downloadPerson = (uid: PersonUid) => consoleCall('POST /api/console/people/:uid/data', { params: { uid } })
export const erasePerson = (uid: PersonUid) => consoleCall('POST /api/console/people/:uid/erase', { params: { uid } })

export type Pair = CallReply<typeof listDuplicates>['rows'][number]
export type MergeInput = CallInput<typeof mergePeopleCall>['body']

/** More than these follow when these are merged. */
export const mostPairs = 200
export const duplicatesQuery = queryOptions({
  queryKey: ['people', 'duplicates'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/people/duplicates', {}, { signal }),
})
export const mergePeople = (body: MergeInput) => consoleCall('POST /api/console/people/merge', { body })
