import { beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import type { AssignmentUid } from '#kernel/ids.ts'
import type { ReportInDetails, StoredAuth } from '#web/session/stored-auth.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { noFlags, someAssignment } from '#web/testing/stored-auth.ts'
import { listAssignmentPeeps, type PeepEntry, updateAssignmentStatus } from '../calls/assignments.ts'
import { WardenAssignmentScreen } from './warden-assignment-screen.tsx'

export const details: ReportInDetails = {
  clientSite: 'Harbour Property Group - Harbour Quarter',
  role: 'Floor Warden',
  area: 'Tower A - Level 4',
  dateFrom: '2026-01-01',
  dateTo: '2026-09-05',
}
export const people = (count: number): PeepEntry[] =>
  Array.from({ length: count }, (_, n) => ({
    Person: `Person ${n + 1}`,
    PEEP_Floor: 'Tower A - Level 4',
    PEEP_Summary: `Summary ${n + 1}`,
  }))

/** For each test of a file a server that takes every answer to an assignment without PEEPs in its area. */
export function offerOnScreen() {
  const server = serverForEachTest()
  beforeEach(() => {
    server.answer(listAssignmentPeeps, [])
    server.answer(updateAssignmentStatus, { success: true })
  })
  return { server, sent: () => server.received(updateAssignmentStatus) }
}

/** The accept / decline page of an assignment, for a warden who is not on duty. */
export const showOffer = (
  auth: Partial<StoredAuth> = {},
  uid: AssignmentUid = someAssignment,
  ui = <WardenAssignmentScreen />,
) =>
  renderScreen(ui, {
    at: `/warden-assignment/${uid}`,
    route: '/warden-assignment/:wardenAssignmentUID',
    auth: { on_duty: false, module_access: noFlags, reportInDetails: details, reportInDetailsOf: uid, ...auth },
  })

export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const reason = page.getByPlaceholder('Please enter a reason', { exact: true })
export const noPeeps = page.getByText("There are no PEEP's in your area.", { exact: true })
