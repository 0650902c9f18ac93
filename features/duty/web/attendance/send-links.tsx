import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { SignInUid } from '#kernel/ids.ts'
import { useSendLinks } from '#web/evacuees/send-report-in-links.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmSheet } from '#web/ui/popups/confirm-sheet.tsx'
import type { FloorGap } from '../../calls/attendance.ts'

interface Asked {
  to: readonly SignInUid[]
  /** 'Ann Lee, Bob Tan, Cas Orr and 4 more' */
  names: string
  floors: number
}

/** One request takes no more. */
const mostReceivers = 2000
const mostNamed = 3
const some = (names: readonly string[], most: number) =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** Links to the wardens of these floors who have not reported in. Asked for first, with whom it goes to. */
export function SendLinks({ gaps, from }: { gaps: readonly FloorGap[]; from: SignInUid }) {
  const canSend = useAuth()?.module_access.Module_Warden_Messaging === true
  const [asked, setAsked] = useState<Asked | null>(null)
  const [nameOf, setNames] = useState<ReadonlyMap<SignInUid, string>>(new Map())
  const { sendLinks, isPending, unsent, notReached } = useSendLinks((sent) => `${sent} Report-in links sent.`)

  const wardens = new Map(
    gaps.flatMap((gap) => gap.not_reported_in.map(({ wardenSignInUid, name }) => [wardenSignInUid, name] as const)),
  )
  const ask = () => {
    const to = [...wardens.keys()].slice(0, mostReceivers)
    const floors = gaps.filter(({ not_reported_in }) => not_reported_in.length > 0).length
    setNames(wardens)
    setAsked({ to, names: some([...wardens.values()], mostNamed), floors })
  }
  const send = ({ to }: Asked) => {
    setAsked(null)
    void sendLinks({ to, from })
  }
  if (!canSend) return null
  return (
    <>
      {wardens.size > 0 && (
        <Button variant="outline" icon={Smartphone} className="wide:justify-self-start" busy={isPending} onClick={ask}>
          Send links to the {formatCount(wardens.size)} not reported in
        </Button>
      )}
      <div role="status" className="empty:hidden">
        {unsent > 0 && <NotReached unsent={unsent} notReached={notReached} nameOf={nameOf} />}
      </div>
      <ConfirmSheet
        open={asked !== null}
        title={asked && `Text ${formatCount(asked.to.length)} ${asked.to.length === 1 ? 'warden' : 'wardens'} a link?`}
        confirm={`Send to ${formatCount(asked?.to.length ?? 0)}`}
        onConfirm={() => asked && send(asked)}
        onCancel={() => setAsked(null)}
      >
        {asked && (
          <p className="text-pretty text-muted">
            {asked.names}, of {asked.floors === 1 ? '1 floor' : `${formatCount(asked.floors)} floors`} without a warden
            on duty. Each gets a text with their own link to report in.
          </p>
        )}
      </ConfirmSheet>
    </>
  )
}

interface NotReachedProps {
  unsent: number
  notReached: ReturnType<typeof useSendLinks>['notReached']
  nameOf: ReadonlyMap<SignInUid, string>
}

/** Stays until the next press, unlike the toast with the number that were sent. */
function NotReached({ unsent, notReached, nameOf }: NotReachedProps) {
  const byReason = Map.groupBy(notReached, ({ reason }) => reason.replace(/\.$/, ''))
  const others = unsent - notReached.length
  return (
    <Notice variant="danger">
      {[...byReason].map(([reason, wardens]) => (
        <p key={reason}>
          {reason}:{' '}
          {some(
            wardens.map(({ wardenSignInUid }) => nameOf.get(wardenSignInUid) ?? 'Warden'),
            10,
          )}
          . Call instead.
        </p>
      ))}
      {others > 0 && (
        <p>
          {formatCount(others)} {others === 1 ? 'has' : 'have'} reported in or got a link within the last minute.
        </p>
      )}
    </Notice>
  )
}
