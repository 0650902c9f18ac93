import { offerSeconds } from '@evac/contract/command/coverage-words.ts'
import type { SignInUid } from '@evac/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { PhoneLink } from '../../people/phone-link.tsx'
import { useSendLinks } from '../../people/send-report-in-links.ts'
import { useAuth } from '../../session/stored-auth.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BottomSheet } from '../../ui/popups/bottom-sheet.tsx'
import { WhenRead } from '../../ui/when-read.tsx'
import { candidatesQuery, type Gap, useAsk } from './coverage.data.ts'

interface CandidatesSheetProps {
  /** Null closes the sheet. */
  gap: Gap | null
  onClose: () => void
}

/** COV-05, COV-08, COV-15: who can be asked to take the floor, the best first. */
export function CandidatesSheet({ gap, onClose }: CandidatesSheetProps) {
  return (
    <BottomSheet open={gap !== null} onClose={onClose} title={gap && `Who can take ${gap.name}?`}>
      {gap && <Candidates key={gap.id} gap={gap} />}
    </BottomSheet>
  )
}

function Candidates({ gap }: { gap: Gap }) {
  const read = useQuery(candidatesQuery(gap.id))
  const ask = useAsk()
  const [asked, setAsked] = useState<string | null>(null)
  const isLapsed = useLapsed(asked)
  const press = (wardenSignInUid: SignInUid) =>
    ask.mutate({ floorId: gap.id, wardenSignInUid }, { onSuccess: (name) => setAsked(name) })
  return (
    <>
      <div role="status" className="empty:hidden">
        {asked && (
          <Notice variant={isLapsed ? 'warning' : 'info'}>
            {isLapsed ? `No answer from ${asked}. Ask the next?` : `${asked} has been asked.`}
          </Notice>
        )}
      </div>
      <WhenRead read={read} parts={['line', 'line']}>
        {({ candidates, others }) => (
          <>
            {candidates.length === 0 && <p className="text-muted">Nobody on duty is free to take it.</p>}
            <ul aria-label="On duty" className="grid grid-cols-1">
              {candidates.map(({ wardenSignInUid, name, reason, phone }) => (
                <Warden key={wardenSignInUid} name={name} about={reason} phone={phone}>
                  <Button
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
    </>
  )
}

/** COV-08: true once whoever was asked has not answered for a minute. */
function useLapsed(asked: string | null): boolean {
  const [lapsed, setLapsed] = useState<string | null>(null)
  useEffect(() => {
    if (asked === null) return
    const timer = setTimeout(() => setLapsed(asked), offerSeconds * 1000)
    return () => clearTimeout(timer)
  }, [asked])
  return asked !== null && lapsed === asked
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

/** COV-15. Needs the module of the call. */
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
