import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PersonUid } from '#kernel/ids.ts'
import { safetyLabel } from '#kernel/vocabulary.ts'
import { ownWordOf } from '#web/evacuees/own-word.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { useSayTotal } from '#web/live/response.ts'
import { usePageParameters } from '#web/pages/use-page-parameters.ts'
import { call } from '#web/session/api.ts'
import type { EvacueeThread } from '../calls/messaging.ts'
import { smsNotActivated } from '../words.ts'
import { RecipientHeader } from './recipient-header.tsx'
import { MessageBox } from './sending/message-box.tsx'
import { useSendToThread } from './sending/use-send.ts'
import { evacueeThreadQuery, withMessages } from './thread.data.ts'
import { ThreadPage } from './thread-page.tsx'

/** The thread with an evacuee, which all wardens of the event share. */
export function EvacueeThreadScreen() {
  const { evacueeId } = usePageParameters() as { evacueeId: PersonUid }
  const query = evacueeThreadQuery(evacueeId)
  const thread = useQuery(query)
  const client = useQueryClient()
  const { onSend, busy } = useSendToThread(
    ({ text, automatedResponse }, extras) =>
      call(
        'POST /api/message/evacuee/send',
        { body: { message: text, receiverId: evacueeId, automated_response_message: automatedResponse } },
        extras,
      ),
    (sent) => client.setQueryData(query.queryKey, withMessages(sent)),
  )
  const { data } = thread
  const isRefused = data?.sms_allowed === false
  return (
    <ThreadPage thread={thread} header={data?.recipient && <Recipient person={data.recipient} />}>
      <MessageBox
        to="Evacuee"
        disabled={!data?.recipient || isRefused}
        bySms
        notice={isRefused ? smsNotActivated : undefined}
        busy={busy}
        onSend={onSend}
      />
    </ThreadPage>
  )
}

function Recipient({ person }: { person: NonNullable<EvacueeThread['recipient']> }) {
  const { name, location, visitor, status, on_floor, phone, sms_refused = false } = person
  const ownWord = ownWordOf(person)
  const say = useSayTotal()
  return (
    <RecipientHeader
      name={name}
      about={visitor ? `${location} · Visitor` : location}
      badge={
        <>
          <StatusBadge status={status} label={say(safetyLabel(status, on_floor))} />
          {ownWord && <span className="text-sm font-semibold text-muted">{ownWord}</span>}
        </>
      }
      phone={phone}
      smsRefused={sms_refused}
    />
  )
}
