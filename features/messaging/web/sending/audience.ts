import type { AssignmentUid, SignInUid } from '#kernel/ids.ts'
import { attendanceOf } from '#web/session/attendance.ts'
import type { MessengerWarden } from '../../calls/messenger.ts'

/** GRP-17: one of those a group message is for, as the lists hand them over; `name` where the list knows it. */
export interface Member {
  id: AssignmentUid
  wardenSignInUid: SignInUid
  status: string
  name?: string
}

/** GRP-01, GRP-19: what opens the page of a group. */
export interface WardenGroupState {
  audience: readonly Member[]
  senderWardenSignInUid: SignInUid
  sms_allowed: boolean
}

/** GRP-08. */
export const isOnDuty = ({ status }: { status: string }) => attendanceOf(status) === 'on_duty'

/** LINK-01, MSG-09: a link to report in is for who has not, or has left. */
export const canReportIn = ({ status }: Pick<MessengerWarden, 'status'> | Member) =>
  ['unknown', 'off_duty'].includes(attendanceOf(status))

/** GRP-10. */
export const canMessageGroup = (audience: readonly Member[], smsAllowed: boolean) =>
  smsAllowed || audience.every(({ status }) => attendanceOf(status) !== 'off_duty')
