import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { Failure } from '../failure.tsx'
import { useZone } from '../me.data.ts'
import { formatMinuteIn } from '../zone-time.ts'
import { type Field, Fields, type FieldsOf } from './fields.tsx'
import type { Form, Values } from './use-form.ts'
import { useLeave } from './use-leave.ts'

export interface FormFrameProps<V extends Values> {
  form: Form<V>
  fields: FieldsOf<V>
  onCancel: () => void
  /** 'Save' unless the page says otherwise. */
  save?: string
  /** A second button that saves and begins the next one. */
  another?: { label: string; onSaved: () => void } | undefined
  /** The fields with something between them. */
  children?: ReactNode
}

/** Fields, what is wrong, 'Save' and 'Cancel', and the questions before something typed is lost. */
export function FormFrame<V extends Values>({
  form,
  fields,
  onCancel,
  save = 'Save',
  another,
  children,
}: FormFrameProps<V>) {
  const frame = useRef<HTMLFormElement>(null)
  const { refused, failure, conflict, isDirty, isSaving, submit } = form
  const leave = useLeave(isDirty)
  const isOpen = conflict !== null && conflict.open.length > 0
  useEffect(() => {
    if (refused > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refused])
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isOpen) submit()
  }
  return (
    <form ref={frame} noValidate className="console-form" onSubmit={handleSubmit}>
      {children ?? <Fields of={fields} form={form} />}
      {conflict && <Differences form={form} conflict={conflict} fields={fields} />}
      <Failure of={failure} />
      <div className="console-end">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        {another && (
          <Button variant="outline" busy={isSaving} disabled={isOpen} onClick={() => submit(another.onSaved)}>
            {another.label}
          </Button>
        )}
        <Button type="submit" busy={isSaving} disabled={isOpen}>
          {save}
        </Button>
      </div>
      <Dialog open={leave.asking} onClose={leave.stay} title="Leave without saving?" alert>
        <div className="grid grid-cols-2 gap-3 p-5">
          <Button variant="red" onClick={leave.leave}>
            Leave
          </Button>
          <Button variant="quiet" data-autofocus onClick={leave.stay}>
            Stay
          </Button>
        </div>
      </Dialog>
    </form>
  )
}

/** Both values side by side per field that both changed. */
function Differences<V extends Values>({
  form,
  conflict: { at, open, theirs },
  fields,
}: Pick<FormFrameProps<V>, 'form' | 'fields'> & { conflict: NonNullable<Form<V>['conflict']> }) {
  const zone = useZone()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const side = (title: string, text: string, button: string, onPick: () => void, of: string) => (
    <div className="grid content-start gap-2 rounded-xl bg-raised p-3">
      <p className="text-sm text-muted">{title}</p>
      <p className="font-semibold wrap-anywhere">{text || 'Empty'}</p>
      <Button variant="outline" aria-label={`${button}: ${of}`} onClick={onPick}>
        {button}
      </Button>
    </div>
  )
  return (
    <div ref={box} tabIndex={-1} role="alert" className="card grid gap-3">
      <Notice variant="warning">Someone else changed this at {formatMinuteIn(at, zone)}.</Notice>
      {open.map((name) => {
        const { label } = fields[name]
        const shown = (value: V[typeof name]) => wordOf(fields[name], value)
        return (
          <fieldset key={String(name)} className="grid grid-cols-2 gap-3">
            <legend className="mb-1 font-semibold">{label}</legend>
            {side('Mine', shown(form.values[name]), 'Keep mine', () => form.choose(name, 'mine'), label)}
            {side('Theirs', shown(theirs[name]), 'Take theirs', () => form.choose(name, 'theirs'), label)}
          </fieldset>
        )
      })}
      {open.length === 0 && <p>Their other changes are in the form now. Save when it is right.</p>}
    </div>
  )
}

/** A value as the person reads it. */
function wordOf<V extends Values>({ options = [] }: Field<V>, value: V[keyof V]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return options.find((option) => option.value === value)?.label ?? String(value)
}
