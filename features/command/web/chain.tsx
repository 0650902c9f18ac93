import { MessageLink } from '#web/evacuees/message-link.tsx'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { useAuth } from '#web/session/stored-auth.ts'
import type { CommandState } from './command.data.ts'

interface ChainProps {
  chain: CommandState['chain']
  leader: string | undefined
}

/** Those on duty who can lead, in the order in which they would. */
export function Chain({ chain, leader }: ChainProps) {
  const auth = useAuth()
  const canMessage = auth?.module_access.Module_Warden_Messaging
  return (
    <section aria-label="Chain of command" className="card grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Chain of command</h2>
      {chain.length === 0 && <p className="text-muted">No one on duty can take command.</p>}
      <ol className="grid grid-cols-1 gap-2">
        {chain.map(({ wardenSignInUid, id, name, role, phone }, index) => (
          <li key={wardenSignInUid} className="flex items-center gap-3 border-t border-hairline pt-2">
            <span className="w-6 shrink-0 text-center font-bold text-muted tabular-nums">{index + 1}</span>
            <div className="min-w-0 flex-1 wrap-anywhere">
              <p className="leading-snug font-bold">
                {name}
                {wardenSignInUid === auth?.WardenSignInUID && <span className="font-normal text-muted"> (you)</span>}
              </p>
              <p className="text-sm text-muted">
                {role}
                {wardenSignInUid === leader && ', in command'}
              </p>
            </div>
            {canMessage && wardenSignInUid !== auth?.WardenSignInUID && (
              <MessageLink to={`/message/warden/${id}`} from="/event/command" name={name} unread={false} />
            )}
            <PhoneLink name={name} phone={phone} />
          </li>
        ))}
      </ol>
    </section>
  )
}
