import { useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { SignInUid } from '#kernel/ids.ts'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { useSendLinks } from '#web/evacuees/send-report-in-links.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { askTheNext } from './asked-words.ts'
import { type Candidate, candidatesQuery, type Gap, useAsk } from './coverage.data.ts'

interface CandidatesSheetProps {
  /** Null closes the sheet. */
  gap: Gap | null
  /** As it stands now. Undefined: someone has taken it, or its own warden has come. */
  now: Gap | undefined
  onClose: () => void
}

/** Who can be asked to take the floor, the best first. */
export function CandidatesSheet({ gap, now, onClose }: CandidatesSheetProps) {
  return (
    <BottomSheet open={gap !== null} onClose={onClose} title={gap && `Who can take ${gap.name}?`}>
      <div role="status" className="empty:hidden">
        {gap && !now && <Notice>{gap.name} has a warden now, or has left the event.</Notice>}
        {now && <Asked gap={now} />}
      </div>
      {now && <Candidates key={now.id} gap={now} />}
    </BottomSheet>
  )
}

function Asked({ gap: { asked, asked_before: before } }: { gap: Gap }) {
  if (asked) return <Notice>{asked.name} has been asked.</Notice>
  return before && <Notice variant="warning">{askTheNext(before)}</Notice>
}

function Candidates({ gap }: { gap: Gap }) {
  const read = useQuery(candidatesQuery(gap.id))
  const ask = useAsk()
  const [asked, setAsked] = useState<ReadonlySet<SignInUid>>(new Set())
  const press = (wardenSignInUid: SignInUid) =>
    ask.mutate(
      { floorId: gap.id, wardenSignInUid },
      { onSuccess: () => setAsked(new Set([...asked, wardenSignInUid])) },
    )
  const isNext = ({ wardenSignInUid, name }: Candidate) =>
    !asked.has(wardenSignInUid) && name !== gap.asked_before?.name
  return (
    <WhenRead read={read} parts={['line', 'line']}>
      {({ candidates, others }) => (
        <>
          {candidates.length === 0 && <p className="text-muted">No one on duty is free to take it.</p>}
          <ul aria-label="On duty" className="grid grid-cols-1">
            {candidates.map(({ wardenSignInUid, name, reason, phone }) => (
              <Warden key={wardenSignInUid} name={name} about={reason} phone={phone}>
                <Button
                  variant={
                    gap.asked_before && candidates.find(isNext)?.wardenSignInUid !== wardenSignInUid
                      ? 'outline'
                      : 'blue'
                  }
                  busy={ask.isPending && ask.variables.wardenSignInUid === wardenSignInUid}
                  onClick={() => press(wardenSignInUid)}
                >
                  Ask<span className="sr-only"> {name}</span>
                </Button>
              </Warden>
            ))}
          </ul>
          {others.length > 0 && <h3 className="text-lg font-bold">Not on duty</h3>}
          <ul aria-label="Not on duty" className="grid grid-cols-1">
            {others.map(({ wardenSignInUid, name, role, status, phone }) => (
              <Warden key={wardenSignInUid} name={name} about={`${status}, ${role}`} phone={phone}>
                <SendLink name={name} to={wardenSignInUid} />
              </Warden>
            ))}
          </ul>
        </>
      )}
    </WhenRead>
  )
}

interface WardenProps {
  name: string
  about: string
  phone: string | null
  children: ReactNode
}

const Warden = ({ name, about, phone, children }: WardenProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-hairline py-3 first:border-t-0">
    <div className="min-w-0 grow basis-40">
      <p className="font-bold">{name}</p>
      <p className="text-muted">{about}</p>
    </div>
    <span className="flex items-center gap-2">
      {children}
      <PhoneLink name={name} phone={phone} />
    </span>
  </li>
)

/** Needs the module of the call. */
function SendLink({ name, to }: { name: string; to: SignInUid }) {
  const auth = useAuth()
  const { sendLinks, isPending } = useSendLinks((sent) => (sent ? 'Report-in link sent.' : 'No link was sent.'))
  const from = auth?.WardenSignInUID
  if (!from || !auth.module_access.Module_Warden_Messaging) return null
  return (
    <Button variant="outline" icon={Smartphone} busy={isPending} onClick={() => void sendLinks({ to: [to], from })}>
      Send report-in link<span className="sr-only"> to {name}</span>
    </Button>
  )
}
