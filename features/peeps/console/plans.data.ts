import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#kernel/client/client.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallInput, CallReply, GivenInput } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { getPlan, listPlans, listPlanViews, PlanNotice, PlanRow, savePlan } from '../calls/plans.ts'

export type { PlanNotice, PlanRow }
export type PlanView = CallReply<typeof listPlanViews>[number]
export type PlansQuery = CallInput<typeof listPlans>['query']
export type ReadPlan = CallReply<typeof getPlan>
export type PlanInput = GivenInput<typeof savePlan>['body']

export const plansQuery = (query: PlansQuery) =>
  queryOptions({
    queryKey: ['plans', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/plans', { query }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Each read is recorded, so it is made when someone opens the plan and not again by itself. It is kept nowhere. */
export const planQuery = (personUid: PersonUid) =>
  queryOptions({
    queryKey: ['plan', personUid],
    queryFn: ({ signal }) => consoleCall('GET /api/console/plans/:personUid', { params: { personUid } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const viewsQuery = (personUid: PersonUid) =>
  queryOptions({
    queryKey: ['plan-views', personUid],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/plans/:personUid/views', { params: { personUid } }, { signal }),
  })

export const noticesQuery = (personUid: PersonUid) =>
  queryOptions({
    queryKey: ['plan-notices', personUid],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/plans/:personUid/notices', { params: { personUid } }, { signal }),
  })

export const noteTold = (personUid: PersonUid, count: number) =>
  consoleCall('POST /api/console/plans/:personUid/told', { params: { personUid }, body: { count } })

export const save = (personUid: PersonUid, body: PlanInput, options: CallOptions) =>
  consoleCall('POST /api/console/plans/:personUid', { params: { personUid }, body }, options)
export const end = (personUid: PersonUid, version: string) =>
  consoleCall('POST /api/console/plans/:personUid/end', { params: { personUid }, body: { version } })
