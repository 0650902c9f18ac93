import { consoleLimits } from '@evac/contract/console-rights.ts'
import { queryOptions } from '@tanstack/react-query'
import { consoleCall } from '../../session/console-session.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/me', {}, { signal }),
})

/** Asked every 15 s while the page is visible. */
export const nowQuery = queryOptions({
  queryKey: ['now'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/now', {}, { signal }),
  refetchInterval: consoleLimits.nowPoll,
})

export const signIn = (name: string, password: string) =>
  consoleCall('POST /api/console/sign-in', { body: { name: name.trim(), password } })

export const giveCode = (ticket: string, code: string) =>
  consoleCall('POST /api/console/sign-in/code', { body: { ticket, code } })

export const startEnrolment = (ticket: string) => consoleCall('POST /api/console/sign-in/enrol', { body: { ticket } })

export const confirmEnrolment = (ticket: string, code: string) =>
  consoleCall('POST /api/console/sign-in/enrol/confirm', { body: { ticket, code } })

export const confirmIdentity = (code: string) => consoleCall('POST /api/console/confirm', { body: { code } })
