import type { SignInUid } from '@evac/contract/ids.ts'
import { limits } from '@evac/contract/limits.ts'
import { sendReportInLinks } from '@evac/contract/report-in-links.ts'
import { Smartphone } from 'lucide-react'
import { call } from '../../lib/api.ts'
import { sentenceFor } from '../../lib/messages.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useKeyedSend } from './use-send.ts'

const delay = limits.messageToast

/** LINK-03, LINK-07; `told` words the success. Failure is told, too: a link that never left must not seem sent. */
function useSendLinks(told: (sent: number) => string) {
  const { mutateAsync, isPending } = useKeyedSend(
    ({ to }: Links) => to.join(),
    ({ to, from }, extras) =>
      call(sendReportInLinks, { body: { warden_sign_in_uids: [...to], sender_warden_sign_in_uid: from } }, extras),
  )
  const sendLinks = async (links: Links) => {
    try {
      const { recordsInserted } = await mutateAsync(links)
      toast(told(recordsInserted), { variant: recordsInserted ? 'success' : 'danger', delay })
    } catch (error) {
      toast(`No link was sent. ${sentenceFor(error)}`, { variant: 'danger', delay })
    }
  }
  return { sendLinks, isPending }
}
interface Links {
  to: readonly SignInUid[]
  from: SignInUid
}

/** MSG-05, MSG-33, LINK-06. Who has no number, refuses texts, or was sent one within the minute gets none (AMB-145). */
export function LinkToOne({ to, from, disabled }: { to: SignInUid; from: SignInUid; disabled: boolean }) {
  const { sendLinks, isPending } = useSendLinks((sent) =>
    sent
      ? 'Report-in link has been sent.'
      : 'No link was sent: no mobile number, texts refused, or one was sent a moment ago.',
  )
  return (
    <Button
      variant="outline"
      icon={Smartphone}
      aria-label="Send report-in link"
      title="Send report-in link"
      disabled={disabled}
      busy={isPending}
      onClick={() => sendLinks({ to: [to], from })}
    >
      Link
    </Button>
  )
}

/** GRP-05, LINK-01, LINK-03, LINK-05: to those of the group who are unknown or off duty. */
export function LinksToGroup({ to, from }: { to: readonly SignInUid[]; from: SignInUid | undefined }) {
  const { sendLinks, isPending } = useSendLinks((sent) => `${sent} Report-in links sent.`)
  return (
    <Button
      variant="outline"
      icon={Smartphone}
      block
      disabled={to.length === 0 || !from}
      busy={isPending}
      onClick={() => from && sendLinks({ to, from })}
    >
      Send Report-in Links ({to.length})
    </Button>
  )
}
