import type { ComponentProps, ReactNode } from 'react'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { type Option, SelectField } from '../../ui/fields/select-field.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import type { Form, Values } from './use-form.ts'

type OfInput = 'type' | 'autoFocus' | 'inputMode' | 'autoComplete' | 'maxLength' | 'max' | 'placeholder'

/** How a value stands in a form. A boolean is a tick, everything else a text field unless the field says more. */
export interface Field<V extends Values> extends Pick<ComponentProps<'input'>, OfInput> {
  label: string
  /** Beside the tick, where that is more than its name. */
  tick?: string
  hint?: ReactNode | ((values: V) => ReactNode)
  /** One of these is chosen. */
  options?: readonly Option[]
  /** Text of several lines. */
  isLong?: true
  /** Only beside such values. */
  when?: (values: V) => boolean
  disabled?: boolean | ((values: V) => boolean)
  /** The dialog begins here. */
  'data-autofocus'?: true
}
export type FieldsOf<V extends Values> = { readonly [N in keyof V]: Field<V> }
/** What fields need of a form. */
export type FieldsForm<V extends Values> = Pick<Form<V>, 'values' | 'errors' | 'set'>

interface FieldsProps<V extends Values> {
  of: FieldsOf<V>
  form: FieldsForm<V>
  /** These alone, where the page draws something of its own between them. */
  only?: readonly (keyof V)[]
}

/** The fields of a form in their order, each with its label, hint and what is wrong with it. */
export function Fields<V extends Values>({ of, form, only = Object.keys(of) }: FieldsProps<V>) {
  return only.map((name) => <OneField key={String(name)} of={of[name]} form={form} name={name} />)
}

interface OneFieldProps<V extends Values> {
  of: Field<V>
  form: FieldsForm<V>
  name: keyof V
}

function OneField<V extends Values>({ of, form: { values, errors, set }, name }: OneFieldProps<V>) {
  const { label, tick = label, hint: _, options, isLong, when, disabled: __, ...input } = of
  if (when && !when(values)) return null
  const told = <T,>(part: T | ((values: V) => T)) =>
    typeof part === 'function' ? (part as (values: V) => T)(values) : part
  const [value, error, hint, disabled] = [values[name], errors[name], told(of.hint), told(of.disabled) ?? false]
  const onChange = (changed: string | boolean) => set({ [name]: changed } as Partial<V>)
  if (typeof value === 'boolean')
    return (
      <>
        <Checkbox label={tick} checked={value} disabled={disabled} onChange={onChange} />
        {(error ?? hint) && (
          <p className={`-mt-4 pl-11 text-sm ${error ? 'text-danger-ink' : 'text-muted'}`}>{error ?? hint}</p>
        )}
      </>
    )
  const shared = { label, value: value as string, disabled, onChange }
  if (options)
    return (
      <SelectField
        {...shared}
        options={options}
        hint={error ? <span className="text-danger-ink">{error}</span> : hint}
      />
    )
  const text = { ...shared, ...input, error, hint }
  return isLong ? <TextArea {...(text as ComponentProps<typeof TextArea>)} /> : <TextField {...text} />
}
