import { useStore } from '../../lib/store.ts'
import { connectionStore, connectionText } from '../../live/connection-state.ts'
import { useAuth } from '../../session/stored-auth.ts'

const dots = { Connected: 'bg-safe', Connecting: 'bg-unknown', Disconnected: 'bg-line' }

/**
 * A small text in the header and at the foot of the menu. The live bar warns of trouble. A page has a
 * connection only while its warden is on duty.
 */
export function ConnectionStatus() {
  const state = useStore(connectionStore)
  if (!useAuth()?.on_duty) return <p className="text-sm text-muted">Not on duty</p>
  return (
    <p data-connection={state} className="flex items-center gap-1.5 text-sm text-muted">
      <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${dots[state]}`} />
      <span>{connectionText[state]}</span>
    </p>
  )
}
