import type { SignInUid } from '@evac/contract/ids.ts'
import { limits } from '@evac/contract/limits.ts'
import { sendReportInLinks } from '@evac/contract/report-in-links.ts'
import { useMutation } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { call } from '../../lib/api.ts'
import { sentenceFor } from '../../lib/messages.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

const delay = limits.messageToast

/** LINK-03, LINK-07; `told` words the success. Failure is told, too: a link that never left must not seem sent. */
function useSendLinks(told: (sent: number) => string) {
  return useMutation({
    mutationFn: ({ to, from }: { to: readonly SignInUid[]; from: SignInUid }) =>
      call(sendReportInLinks, { body: { warden_sign_in_uids: [...to], sender_warden_sign_in_uid: from } }),
    onSuccess: ({ recordsInserted }) =>
      toast(told(recordsInserted), { variant: recordsInserted ? 'success' : 'danger', delay }),
    onError: (error) => toast(`No link was sent. ${sentenceFor(error)}`, { variant: 'danger', delay }),
  })
}

/** MSG-05, MSG-33, LINK-06. A phone without a number, or one texted within the minute, gets none (AMB-145). */
export function LinkToOne({ to, from, disabled }: { to: SignInUid; from: SignInUid; disabled: boolean }) {
  const { mutate, isPending } = useSendLinks((sent) =>
    sent ? 'Report-in link has been sent.' : 'No link was sent: no mobile number, or one was sent a moment ago.',
  )
  return (
    <Button
      variant="outline"
      icon={Smartphone}
      aria-label="Send report-in link"
      title="Send report-in link"
      disabled={disabled}
      busy={isPending}
      onClick={() => mutate({ to: [to], from })}
    >
      Link
    </Button>
  )
}

/** GRP-05, LINK-01, LINK-03, LINK-05: to those of the group who are unknown or off duty. */
export function LinksToGroup({ to, from }: { to: readonly SignInUid[]; from: SignInUid | undefined }) {
  const { mutate, isPending } = useSendLinks((sent) => `${sent} Report-in links sent.`)
  return (
    <Button
      variant="outline"
      icon={Smartphone}
      block
      disabled={to.length === 0 || !from}
      busy={isPending}
      onClick={() => from && mutate({ to, from })}
    >
      Send Report-in Links ({to.length})
    </Button>
  )
}
