import { ApiError } from '#kernel/client/client.ts'
import { otherInstallation } from '#web/lib/other-installation.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { NextStep } from '../calls/console-sign-in.ts'

/** The page of an administrator of another installation goes there, with nothing of what was typed. */
export async function signIn(name: string, password: string): Promise<NextStep> {
  try {
    return await consoleCall('POST /api/console/sign-in', { body: { name: name.trim(), password } })
  } catch (error) {
    if (!(error instanceof ApiError && error.address)) throw error
    return otherInstallation.goTo(error.address)
  }
}

export const giveCode = (ticket: string, code: string) =>
  consoleCall('POST /api/console/sign-in/code', { body: { ticket, code } })

export const startEnrolment = (ticket: string) => consoleCall('POST /api/console/sign-in/enrol', { body: { ticket } })

export const confirmEnrolment = (ticket: string, code: string) =>
  consoleCall('POST /api/console/sign-in/enrol/confirm', { body: { ticket, code } })

export const confirmIdentity = (code: string) => consoleCall('POST /api/console/confirm', { body: { code } })
