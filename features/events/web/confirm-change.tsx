import type { EventKind } from '#kernel/vocabulary.ts'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { AlertToggle, AnnouncedToggle, BroadcastToggle, KindToggle } from './event-details.tsx'
import type { AskedChange } from './event-form.ts'
import type { EventChange } from './events.data.ts'
import { buttonLabels } from './selected-buildings.ts'
import { Unaccounted } from './unaccounted.tsx'

interface ConfirmChangeProps {
  asked: AskedChange | null
  smsAllowed: boolean
  busy: boolean
  onConfirm: (change: EventChange) => void
  onCancel: () => void
}

/** What is about to happen, with everything it will send; the focus waits on Cancel. */
export function ConfirmChange({ asked, smsAllowed, busy, onConfirm, onCancel }: ConfirmChangeProps) {
  const takesAway = asked?.mode === 'end' || asked?.mode === 'remove'
  return (
    <ConfirmDialog
      open={asked !== null}
      title={buttonLabels[asked?.mode ?? 'start']}
      confirm="Confirm"
      variant={takesAway ? 'red' : 'blue'}
      busy={busy}
      onConfirm={() => asked && onConfirm(asked)}
      onCancel={onCancel}
    >
      {asked && <Summary asked={asked} smsAllowed={smsAllowed} />}
    </ConfirmDialog>
  )
}

function Summary({ asked, smsAllowed }: { asked: AskedChange; smsAllowed: boolean }) {
  return (
    <div className="grid gap-3 text-base">
      {asked.mode === 'end' && asked.event && (
        <>
          <p>
            This ends the event <strong>{asked.type}</strong> at <strong>{asked.site}</strong>.
          </p>
          <Unaccounted event={asked.event} />
        </>
      )}
      <dl className="grid gap-2">
        <Row term="Site">{asked.site}</Row>
        <Row term="Building(s)">{asked.buildings.join(', ')}</Row>
        <Row term="Event type">{asked.type}</Row>
        <Row term="Message">{asked.input.message}</Row>
      </dl>
      {asked.input.kind && <KindSummary {...asked.input} kind={asked.input.kind} typeKind={asked.typeKind} />}
      <BroadcastToggle value={asked.input.broadcastMessage} />
      {asked.mode === 'start' && <AlertToggle value={asked.input.alertToWarden} />}
      {/* No one may believe that texts went out. */}
      {!smsAllowed && <Notice variant="warning">ALL WARDENS SMS messaging is not activated.</Notice>}
    </div>
  )
}

interface KindSummaryProps {
  kind: EventKind
  announced?: 'yes' | 'no'
  typeKind: EventKind
}

function KindSummary({ kind, announced, typeKind }: KindSummaryProps) {
  return (
    <>
      <KindToggle value={kind} />
      {announced && <AnnouncedToggle value={announced} />}
      {kind === 'drill' && <Notice>DRILL. Every screen and text will say so.</Notice>}
      {kind !== typeKind && (
        <Notice variant="warning">
          {typeKind === 'drill' ? 'This event type is meant for drills.' : 'This event type is meant for live events.'}
        </Notice>
      )}
    </>
  )
}

function Row({ term, children }: { term: string; children: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  )
}
