import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Shuffle } from 'lucide-react'
import { useState } from 'react'
import { announcementOf, wordOf } from '#kernel/action-words.ts'
import { type Action, actionCodes, groupOf, hasWhere, whereLength } from '#kernel/actions.ts'
import { ApiError } from '#kernel/client/client.ts'
import type { BuildingUid, EventUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { newKey } from '#web/lib/new-key.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea, TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { EventBuilding } from '../calls/events.ts'
import { acceptText } from './broadcast-text.ts'
import { BroadcastToggle, CountAgainToggle } from './event-details.tsx'
import type { YesNo } from './event-form.ts'
import { changeAction, eventSitesQuery } from './events.data.ts'

interface ChangeActionProps {
  event: EventUid
  /** Those of the event in which the reader may change it. */
  buildings: readonly EventBuilding[]
  /** The newest change that the reader has seen. */
  base: string | null
}

/** What is chosen. Message and counting follow it until someone sets them. */
interface Chosen {
  buildings: readonly BuildingUid[]
  action: Action | ''
  where: string
  message: string | null
  broadcastMessage: YesNo
  again: YesNo | null
  /** The newest change when the dialog opened: what came later has not been seen. */
  base: string | null
  key: string
}

/** Turns an evacuation into a lockdown, a lockdown into a release: in some of its buildings or in all. */
export function ChangeAction({ event, buildings, base }: ChangeActionProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const open = () =>
    setChosen({
      buildings: buildings.map(({ id }) => id),
      action: '',
      where: '',
      message: null,
      broadcastMessage: 'yes',
      again: null,
      base,
      key: newKey(),
    })
  return (
    <>
      <Button variant="outline" icon={Shuffle} className="mt-2 px-2" onClick={open}>
        Change the action
      </Button>
      {chosen && <ChangeDialog event={event} buildings={buildings} chosen={chosen} onChange={setChosen} />}
    </>
  )
}

interface ChangeDialogProps extends Omit<ChangeActionProps, 'base'> {
  chosen: Chosen
  onChange: (chosen: Chosen | null) => void
}

function ChangeDialog({ event, buildings, chosen, onChange }: ChangeDialogProps) {
  const client = useQueryClient()
  const asked = presetOf(chosen, buildings)
  const { action, where } = chosen
  const change = (part: Partial<Chosen>) => onChange({ ...chosen, ...part, key: newKey() })
  const readAgain = () => client.invalidateQueries({ queryKey: eventSitesQuery.queryKey })
  const send = useMutation({
    mutationFn: changeAction,
    onSuccess: () => {
      onChange(null)
      return readAgain()
    },
    onError: (error) => {
      const isLate = error instanceof ApiError && error.code === 'action_changed'
      toast(isLate ? error.message : sentenceFor(error), { variant: 'danger' })
      if (isLate) onChange(null)
      void readAgain()
    },
  })
  const isComplete =
    action !== '' &&
    chosen.buildings.length > 0 &&
    asked.message.trim() !== '' &&
    (!hasWhere(action) || where.trim() !== '')
  return (
    <ConfirmDialog
      open
      title="Change the action"
      confirm="Change the action"
      busy={send.isPending || !isComplete}
      onConfirm={() => action && send.mutate({ ...chosen, ...asked, event, action })}
      onCancel={() => onChange(null)}
    >
      <div className="grid gap-3 text-base">
        <Buildings all={buildings} chosen={chosen.buildings} onChange={(next) => change({ buildings: next })} />
        <SelectField<Action>
          label="Action"
          placeholder="Select an action"
          value={action}
          options={actionCodes.map((value) => ({ value, label: wordOf(value) }))}
          onChange={(next) => change({ action: next })}
        />
        {action && hasWhere(action) && (
          <TextField
            label="Where to"
            maxLength={whereLength}
            value={where}
            onChange={(text) => change({ where: text })}
          />
        )}
        <TextArea
          label="Broadcast message"
          rows={4}
          value={asked.message}
          onChange={(text) => change({ message: acceptText(asked.message, text) })}
          hint={
            <span className="ml-auto tabular-nums">
              {asked.message.length}/{limits.messageLength}
            </span>
          }
        />
        <BroadcastToggle
          value={chosen.broadcastMessage}
          onChange={(broadcastMessage) => change({ broadcastMessage })}
        />
        {action !== 'release' && <CountAgainToggle value={asked.again} onChange={(again) => change({ again })} />}
        {action && groupOf(action) === 'quiet' && <Notice variant="warning">{silentPhones}</Notice>}
      </div>
    </ConfirmDialog>
  )
}

interface BuildingsProps {
  all: readonly EventBuilding[]
  chosen: readonly BuildingUid[]
  onChange: (chosen: readonly BuildingUid[]) => void
}

const Buildings = ({ all, chosen, onChange }: BuildingsProps) => (
  <fieldset className="min-w-0">
    <legend className="font-semibold">Buildings</legend>
    {all.map(({ id, name, action = 'evacuate' }) => (
      <Checkbox
        key={id}
        label={`${name}: ${wordOf(action)}`}
        checked={chosen.includes(id)}
        onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
      />
    ))}
  </fieldset>
)

export const silentPhones = 'Phones stay silent: one text each, no calls.'

/** Everyone is counted again where people do something of another group. Never at a release. */
function presetOf({ action, where, message, again, buildings: chosen }: Chosen, buildings: readonly EventBuilding[]) {
  const changes = buildings.some(
    ({ id, action: was = 'evacuate', action_before = null }) =>
      action && chosen.includes(id) && groupOf(was, action_before) !== groupOf(action, was),
  )
  const preset: YesNo = changes ? 'yes' : 'no'
  return {
    message: message ?? (action ? announcementOf(action, where.trim()).slice(0, limits.messageLength) : ''),
    again: action === 'release' ? ('no' as const) : (again ?? preset),
  }
}
