import { useState } from 'react'
import type { sendReportInLinks } from '#features/events/calls/report-in-links.ts'
import type { SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { sentenceFor } from '../lib/refusal-sentences.ts'
import { call } from '../session/api.ts'
import { useKeyedSend } from '../session/use-keyed-send.ts'
import { toast } from '../ui/toast.tsx'

interface Links {
  to: readonly SignInUid[]
  from: SignInUid
}
type NotReached = CallReply<typeof sendReportInLinks>['not_reached']

const delay = limits.messageToast
const nobody = { unsent: 0, notReached: [] as NotReached }

/**
 * `told` words the success. Failure is told, too: a link that never left must not seem sent. `unsent` and
 * `notReached` are of the last send.
 */
export function useSendLinks(told: (sent: number) => string) {
  const [last, setLast] = useState(nobody)
  const { mutateAsync, isPending } = useKeyedSend(
    ({ to }: Links) => to.join(),
    ({ to, from }, extras) =>
      call(
        'POST /api/v2/warden/send-report-in-links',
        { body: { warden_sign_in_uids: [...to], sender_warden_sign_in_uid: from } },
        extras,
      ),
  )
  const sendLinks = async (links: Links) => {
    try {
      const { recordsInserted, not_reached: notReached = [] } = await mutateAsync(links)
      setLast({ unsent: links.to.length - recordsInserted, notReached })
      toast(told(recordsInserted), { variant: recordsInserted ? 'success' : 'danger', delay })
    } catch (error) {
      toast(`No link was sent. ${sentenceFor(error)}`, { variant: 'danger', delay })
    }
  }
  return { sendLinks, isPending, ...last }
}
