import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldsOf } from '#web/console/form/fields.tsx'
import { FormFrame } from '#web/console/form/form-frame.tsx'
import { type Form, useForm, type Values } from '#web/console/form/use-form.ts'
import { overviewQuery } from '#web/console/me.data.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { Dialog } from '#web/ui/popups/dialog.tsx'

export interface RowDialogProps<Row extends { uid: string; version: string }, V extends Values> {
  /** The row, or 'new'. Null while none is edited. */
  edited: Row | 'new' | null
  onClose: () => void
  /** 'floor status': 'Add a floor status', 'Change the floor status'. */
  what: string
  queryKey: QueryKey
  fields: FieldsOf<V>
  /** What a new row begins with. */
  begun: V
  /** Of a row, where they are not simply those of the same names. */
  valuesOf?: (row: Row) => V
  save: (row: Row | undefined, values: V, options: { headers: Record<string, string> }) => Promise<unknown>
  /** The fields with something between them. */
  children?: (form: Form<V>, row: Row | undefined) => ReactNode
}

/** Adds or changes a row of a list. */
export function RowDialog<Row extends { uid: string; version: string }, V extends Values>(
  props: RowDialogProps<Row, V>,
) {
  const { edited, onClose, what } = props
  const article = /^[aeiou]/.test(what) ? 'an' : 'a'
  return (
    <Dialog
      open={edited !== null}
      onClose={onClose}
      title={edited === 'new' ? `Add ${article} ${what}` : `Change the ${what}`}
    >
      {edited !== null && <RowForm {...props} row={edited === 'new' ? undefined : edited} />}
    </Dialog>
  )
}

function RowForm<Row extends { uid: string; version: string }, V extends Values>({
  row,
  onClose,
  queryKey,
  fields,
  begun,
  valuesOf = (known) => Object.fromEntries(Object.entries(known).filter(([name]) => name in begun)) as V,
  save,
  children,
}: RowDialogProps<Row, V> & { row: Row | undefined }) {
  const queryClient = useQueryClient()
  const rowNow = () => {
    const rows = queryClient.getQueryData<{ rows: Row[] }>(queryKey)?.rows ?? []
    return rows.find(({ uid }) => uid === row?.uid)
  }
  const form = useForm<V>({
    stored: row ? valuesOf(row) : begun,
    save: (values, options) => save(row && (rowNow() ?? row), values, options),
    readAgain: async () => {
      await queryClient.refetchQueries({ queryKey })
      const now = rowNow() ?? row
      return { stored: now ? valuesOf(now) : begun, at: new Date(Number(now?.version) * 1000).toISOString() }
    },
    onSaved: () => {
      toastDone(row ? 'Saved.' : 'Added.')
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries({ queryKey: overviewQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormFrame form={form} fields={fields} onCancel={onClose} save={row ? 'Save' : 'Add'}>
      {children?.(form, row)}
    </FormFrame>
  )
}
