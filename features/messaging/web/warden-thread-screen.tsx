import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AssignmentUid, SignInUid } from '#kernel/ids.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { usePageParameters } from '#web/pages/use-page-parameters.ts'
import { call } from '#web/session/api.ts'
import { attendanceOf } from '#web/session/attendance.ts'
import type { MessengerWarden } from '../calls/messenger.ts'
import { smsNotActivated } from '../words.ts'
import { RecipientHeader } from './recipient-header.tsx'
import { canReportIn } from './sending/audience.ts'
import { MessageBox } from './sending/message-box.tsx'
import { LinkToOne } from './sending/report-in-link.tsx'
import { useSendToThread } from './sending/use-send.ts'
import { wardenThreadQuery, withMessages } from './thread.data.ts'
import { ThreadPage } from './thread-page.tsx'

/** The thread with another warden, private to the two. */
export function WardenThreadScreen() {
  const { wardenId } = usePageParameters() as { wardenId: AssignmentUid }
  const query = wardenThreadQuery(wardenId)
  const thread = useQuery(query)
  const client = useQueryClient()
  const { data } = thread
  const { onSend, busy } = useSendToThread(
    ({ text }, extras) => {
      const [from, to] = [data?.senderWardenSignInUid, data?.recipient?.wardenSignInUid] as [SignInUid, SignInUid]
      return call('POST /api/message/warden/send', { body: { message: text, receiverId: wardenId, from, to } }, extras)
    },
    (sent) => client.setQueryData(query.queryKey, withMessages(sent)),
  )
  const recipient = data?.recipient
  const isReachable = recipient?.status === 'On Duty' || data?.sms_allowed === true
  return (
    <ThreadPage
      thread={thread}
      header={recipient && <Recipient warden={recipient} sender={data.senderWardenSignInUid as SignInUid} />}
    >
      <MessageBox
        to="Warden"
        disabled={!recipient || !isReachable}
        bySms={recipient?.status !== 'On Duty'}
        notice={recipient && !isReachable ? smsNotActivated : undefined}
        busy={busy}
        onSend={onSend}
      />
    </ThreadPage>
  )
}

function Recipient({ warden, sender }: { warden: MessengerWarden; sender: SignInUid }) {
  const { name, role, areas, phone, sms_refused } = warden
  return (
    <RecipientHeader
      name={name}
      about={[role, ...areas.map((area) => area.name)].join(' · ')}
      badge={<StatusBadge status={attendanceOf(warden.status)} />}
      phone={phone}
      smsRefused={sms_refused}
      actions={<LinkToOne to={warden.wardenSignInUid} from={sender} disabled={!canReportIn(warden)} />}
    />
  )
}
