import type {
  addPerson as addPersonCall,
  getPerson,
  listPeople,
  listPeopleChoices,
  PersonRow,
} from '@evac/contract/calls/console/people.ts'
import type { BuildingUid, GroupUid, PersonUid } from '@evac/contract/ids.ts'
import type { CallInput, CallReply } from '@evac/contract/route.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { consoleCall } from '../../session/console-session.ts'

export type { PersonRow }
export type PeopleQuery = CallInput<typeof listPeople>['query']
export type PeopleChoices = CallReply<typeof listPeopleChoices>

/** Names of the filters of people in the address. */
export const peopleFilters = ['place', 'group', 'kind', 'state', 'wardens', 'sign_in'] as const

export const peopleQuery = (query: PeopleQuery) =>
  queryOptions({
    queryKey: ['people', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/people', { query }, { signal }),
    placeholderData: keepPreviousData,
  })

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
export const deactivate = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/deactivate', { params: { uid } })
export const reactivate = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/reactivate', { params: { uid } })
