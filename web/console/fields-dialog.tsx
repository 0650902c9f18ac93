import { type ReactNode, useState } from 'react'
import { Fields, type FieldsForm, type FieldsOf } from './form/fields.tsx'
import type { Values } from './form/use-form.ts'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'

interface FieldsDialogProps<V extends Values> extends Pick<FormDialogProps, 'title' | 'action' | 'done' | 'onClose'> {
  /** The form begins with it. */
  stored: V
  fields: FieldsOf<V>
  onSave: (values: V) => Promise<unknown>
  /** The fields with something between them. */
  children?: (form: FieldsForm<V>) => ReactNode
}

/** A small form that is no more than its fields. */
export function FieldsDialog<V extends Values>({ stored, fields, onSave, children, ...dialog }: FieldsDialogProps<V>) {
  const [values, setValues] = useState(stored)
  const names = (Object.keys(fields) as (keyof V & string)[]).filter((name) => fields[name].when?.(values) ?? true)
  const set = (changes: Partial<V>) => setValues((now) => ({ ...now, ...changes }))
  return (
    <FormDialog {...dialog} fields={names} onSave={() => onSave(values)}>
      {(errorOf) => {
        const errors = Object.fromEntries(names.map((name) => [name, errorOf(name)])) as FieldsForm<V>['errors']
        const form = { values, errors, set }
        return children ? children(form) : <Fields of={fields} form={form} />
      }}
    </FormDialog>
  )
}
