import { wordOf } from '#kernel/action-words.ts'
import { type Action, groupOf, hasWhere, whereLength } from '#kernel/actions.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import { newKey } from '#web/lib/new-key.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { silentPhones } from './change-action.tsx'
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
  onChange: (asked: AskedChange) => void
  onCancel: () => void
}

/** What is about to happen, with everything it will send; the focus waits on Cancel. */
export function ConfirmChange({ asked, smsAllowed, busy, onConfirm, onChange, onCancel }: ConfirmChangeProps) {
  const takesAway = asked?.mode === 'end' || asked?.mode === 'remove'
  return (
    <ConfirmDialog
      open={asked !== null}
      title={buttonLabels[asked?.mode ?? 'start']}
      confirm="Confirm"
      variant={takesAway ? 'red' : 'blue'}
      busy={busy || (asked?.action !== undefined && hasWhere(asked.action) && !asked.input.where?.trim())}
      onConfirm={() => asked && onConfirm(asked)}
      onCancel={onCancel}
    >
      {asked && <Summary asked={asked} smsAllowed={smsAllowed} onChange={onChange} />}
    </ConfirmDialog>
  )
}

function Summary({
  asked,
  smsAllowed,
  onChange,
}: Pick<ConfirmChangeProps, 'smsAllowed' | 'onChange'> & { asked: AskedChange }) {
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
        {asked.action && <Row term="Action">{wordOf(asked.action)}</Row>}
        <Row term="Message">{asked.input.message}</Row>
      </dl>
      {asked.action && <ActionSummary asked={asked} action={asked.action} onChange={onChange} />}
      {asked.input.kind && <KindSummary {...asked.input} kind={asked.input.kind} typeKind={asked.typeKind} />}
      <BroadcastToggle value={asked.input.broadcastMessage} />
      {asked.mode === 'start' && <AlertToggle value={asked.input.alertToWarden} />}
      {/* No one may believe that texts went out. */}
      {!smsAllowed && <Notice variant="warning">ALL WARDENS SMS messaging is not activated.</Notice>}
    </div>
  )
}

interface ActionSummaryProps extends Pick<ConfirmChangeProps, 'onChange'> {
  asked: AskedChange
  action: Action
}

/** Where to go is asked here, as the form of a start is as it was. */
function ActionSummary({ asked, action, onChange }: ActionSummaryProps) {
  const { where = '' } = asked.input
  return (
    <>
      {hasWhere(action) && (
        <TextField
          label="Where to"
          maxLength={whereLength}
          value={where}
          onChange={(text) => onChange({ ...asked, input: { ...asked.input, where: text }, key: newKey() })}
        />
      )}
      {groupOf(action) === 'quiet' && <Notice variant="warning">{silentPhones}</Notice>}
    </>
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
