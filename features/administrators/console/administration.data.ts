import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AdministratorUid, PersonUid } from '#kernel/ids.ts'
import type { CallReply, GivenInput } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { appointAdministrator, listAdministrators } from '../calls/administrators.ts'
import type { setUp } from '../calls/set-up.ts'

export type SetUpInput = GivenInput<typeof setUp>['body']
export type Appointment = GivenInput<typeof appointAdministrator>['body']
export type Administrators = CallReply<typeof listAdministrators>

export const makeOrganisation = (body: SetUpInput) => consoleCall('POST /api/console/set-up', { body })

export const administratorsQuery = queryOptions({
  queryKey: ['administrators'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/administrators', {}, { signal }),
})

export const candidatesQuery = (q: string) =>
  queryOptions({
    queryKey: ['candidates', q],
    queryFn: ({ signal }) => consoleCall('GET /api/console/administrators/candidates', { query: { q } }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

export const appoint = (body: Appointment) => consoleCall('POST /api/console/administrators', { body })
export const revoke = (uid: AdministratorUid) =>
  consoleCall('POST /api/console/administrators/:uid/revoke', { params: { uid } })
export const resetFactor = (uid: AdministratorUid) =>
  consoleCall('POST /api/console/administrators/:uid/reset-second-factor', { params: { uid } })
export const invite = (uid: PersonUid) => consoleCall('POST /api/console/people/:uid/invite', { params: { uid } })
export const showInvitation = (uid: PersonUid) =>
  consoleCall('POST /api/console/people/:uid/show-invitation', { params: { uid } })
