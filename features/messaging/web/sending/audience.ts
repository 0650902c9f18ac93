import type { AssignmentUid, SignInUid } from '#kernel/ids.ts'
import { attendanceOf } from '#web/session/attendance.ts'
import type { MessengerWarden } from '../../calls/messenger.ts'

/** One of those a group message is for, as the lists hand them over; `name` where the list knows it. */
export interface Member {
  id: AssignmentUid
  wardenSignInUid: SignInUid
  status: string
  name?: string
}

/** What opens the page of a group. */
export interface WardenGroupState {
  audience: readonly Member[]
  senderWardenSignInUid: SignInUid
  sms_allowed: boolean
}

export const isOnDuty = ({ status }: { status: string }) => attendanceOf(status) === 'on_duty'

/** A link to report in is for who has not, or has left. */
export const canReportIn = ({ status }: Pick<MessengerWarden, 'status'> | Member) =>
  ['unknown', 'off_duty'].includes(attendanceOf(status))

export const canMessageGroup = (audience: readonly Member[], smsAllowed: boolean) =>
  smsAllowed || audience.every(({ status }) => attendanceOf(status) !== 'off_duty')
