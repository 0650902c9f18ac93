import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '#kernel/client/client.ts'
import { newKey } from '../../lib/new-key.ts'
import { useOneAction } from '../../lib/one-action.ts'
import { consoleSentence } from '../../session/console-session.ts'

/** Every field as the text or the tick that its control holds. */
export type Values = Record<string, string | boolean | readonly string[]>
type Errors<V> = { [N in keyof V]?: string }

export interface FormOptions<V extends Values> {
  /** What is stored. The form begins with it. */
  stored: V
  /** Saves. `key` stays the same for repeats of the same values, so that the change is made once. Throws ApiError. */
  save: (values: V, options: { headers: Record<string, string> }) => Promise<unknown>
  /** After `changed_since`: what is stored by now, and when it was changed. */
  readAgain?: () => Promise<{ stored: V; at: string }>
  onSaved: () => void
  /** The field of the form that a field of the answer names, where both differ. */
  fieldOf?: (field: string) => keyof V | undefined
}

/** Someone else saved first: the fields in which both differ. */
export interface Conflict<V> {
  at: string
  theirs: V
  /** Fields that both have changed, and for which a choice is open. */
  open: (keyof V)[]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The values of a form, what is wrong with them, and saving them. */
export function useForm<V extends Values>({ stored, save, readAgain, onSaved, fieldOf }: FormOptions<V>) {
  const [base, setBase] = useState(stored)
  const [values, setValues] = useState(stored)
  const [errors, setErrors] = useState<Errors<V>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [refused, setRefused] = useState(0)
  const [conflict, setConflict] = useState<Conflict<V> | null>(null)
  const sent = useRef({ text: '', key: '' })
  const { running, run } = useOneAction<'save'>()

  const set = (changes: Partial<V>) => {
    setValues((now) => ({ ...now, ...changes }))
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in changes))) as Errors<V>)
  }

  const showFailure = (error: unknown) => {
    const told = problemsOf(error, fieldOf ?? ((name) => (name in base ? name : undefined)))
    setErrors(told as Errors<V>)
    setRefused((count) => count + 1)
    setFailure(Object.keys(told).length > 0 ? null : consoleSentence(error))
  }

  /** What the other changed and this form did not is taken; what both changed is asked about. */
  const meet = async (again: NonNullable<typeof readAgain>) => {
    const { stored: theirs, at } = await again()
    const names = Object.keys(theirs) as (keyof V)[]
    const open = names.filter((name) => !isSame(values[name], theirs[name]) && !isSame(theirs[name], base[name]))
    const untouched = names.filter((name) => isSame(values[name], base[name]))
    setValues({ ...values, ...Object.fromEntries(untouched.map((name) => [name, theirs[name]])) })
    setConflict({ at, theirs, open: open.filter((name) => !untouched.includes(name)) })
    setBase(theirs)
  }

  /** `after`: what follows in place of `onSaved`. */
  const submit = (after = onSaved) =>
    void run('save', async () => {
      setErrors({})
      setFailure(null)
      const text = JSON.stringify(values)
      if (sent.current.text !== text || conflict) sent.current = { text, key: newKey() }
      try {
        await save(values, { headers: { 'idempotency-key': sent.current.key } })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'changed_since' && readAgain)
          return meet(readAgain).catch(showFailure)
        return showFailure(error)
      }
      sent.current = { text: '', key: '' }
      // nothing is unsaved any more, so that the next page opens without a question
      flushSync(() => {
        setBase(values)
        setConflict(null)
      })
      after()
    })

  return {
    values,
    set,
    errors,
    /** How often it has been refused: each time the keyboard goes to the first bad field, and stays where it is after that. */
    refused,
    failure,
    conflict,
    /** Closes the question of a field: with the other's value, or with the own one. */
    choose: (name: keyof V, whose: 'mine' | 'theirs') => {
      if (!conflict) return
      if (whose === 'theirs') set({ [name]: conflict.theirs[name] } as Partial<V>)
      setConflict({ ...conflict, open: conflict.open.filter((one) => one !== name) })
    },
    /** What a text field, an area or a choice needs beside its label. */
    field: <N extends keyof V & string>(name: N) => ({
      value: values[name],
      error: errors[name],
      onChange: (value: V[N]) => set({ [name]: value } as unknown as Partial<V>),
    }),
    isDirty: !isSame(values, base),
    isSaving: running !== null,
    submit,
  }
}
export type Form<V extends Values> = ReturnType<typeof useForm<V>>

/** The texts of the refused fields, by field of the form. */
function problemsOf(error: unknown, fieldOf: (name: string) => PropertyKey | undefined): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.problems.flatMap(({ field, message }) => {
      const name = fieldOf(field)
      return name === undefined ? [] : [[name, message]]
    }),
  )
}
