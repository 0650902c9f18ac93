import type { listPeople, listPeopleChoices, PersonRow } from '@evac/contract/calls/console/people.ts'
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
