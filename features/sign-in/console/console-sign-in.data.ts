import { consoleCall } from '#web/session/console-session.ts'

export const signIn = (name: string, password: string) =>
  consoleCall('POST /api/console/sign-in', { body: { name: name.trim(), password } })

export const giveCode = (ticket: string, code: string) =>
  consoleCall('POST /api/console/sign-in/code', { body: { ticket, code } })

export const startEnrolment = (ticket: string) => consoleCall('POST /api/console/sign-in/enrol', { body: { ticket } })

export const confirmEnrolment = (ticket: string, code: string) =>
  consoleCall('POST /api/console/sign-in/enrol/confirm', { body: { ticket, code } })

export const confirmIdentity = (code: string) => consoleCall('POST /api/console/confirm', { body: { code } })
