import { type ReactNode, useState } from 'react'
import type { Values } from '#web/console/form/use-form.ts'
import { type Column, List, type ListProps } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { MoveButtons, useOrder } from './order.tsx'
import { RowDialog, type RowDialogProps } from './row-dialog.tsx'

interface ListRow {
  uid: string
  version: string
  in_use: boolean
}

interface ListTabProps<Row extends ListRow, V extends Values>
  extends Omit<RowDialogProps<Row, V>, 'edited' | 'onClose'> {
  frame: Frame
  /** What the table holds, for screen readers. */
  label: string
  read: ListProps<Row, never>['read']
  nameHead?: string
  nameOf: (row: Row) => string
  /** Where a row has more than its name there. */
  name?: (row: Row) => ReactNode
  /** All but the name and the state. */
  columns?: readonly Column<Row>[]
  empty: string
  /** Above the list. Without rows until they are read. */
  above?: (rows: readonly Row[] | undefined) => ReactNode
  /** Beside 'Add', of the rows that have been read. */
  more?: (rows: readonly Row[]) => ReactNode
  /** Saves the order, of a list that has one. */
  order?: (uids: Row['uid'][]) => Promise<unknown>
}

const bold = (text: string) => <span className="font-semibold">{text}</span>

/** A list of the organisation: its rows, and the form that adds or changes one. */
export function ListTab<Row extends ListRow, V extends Values>(props: ListTabProps<Row, V>) {
  const { frame, label, read, nameHead, nameOf, name, columns = [], empty, above, more, order, ...form } = props
  const address = useListAddress([])
  const rows = read.data?.rows ?? []
  const [edited, setEdited] = useState<Row | 'new' | null>(null)
  const { running, move } = useOrder(rows, form.queryKey, order)
  const actions = (row: Row) => (
    <div className="console-acts">
      {order && (
        <MoveButtons
          name={nameOf(row)}
          at={rows.indexOf(row)}
          of={rows.length}
          busy={running}
          onMove={(by) => move(rows.indexOf(row), by)}
        />
      )}
      <Button variant="quiet" aria-label={`Change: ${nameOf(row)}`} onClick={() => setEdited(row)}>
        Change
      </Button>
    </div>
  )
  return frame(
    <>
      {read.data && more?.(rows)}
      <Button onClick={() => setEdited('new')}>Add</Button>
    </>,
    <>
      {above?.(read.data?.rows)}
      <List
        label={label}
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        {...(nameHead !== undefined && { nameHead })}
        name={name ?? ((row) => bold(nameOf(row)))}
        columns={[...columns, { head: 'State', cell: ({ in_use }) => (in_use ? 'In use' : 'Out of use') }]}
        actions={actions}
        empty={empty}
      />
      <RowDialog {...form} edited={edited} onClose={() => setEdited(null)} />
    </>,
  )
}
