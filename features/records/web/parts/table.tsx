import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { breakable } from './breakable.tsx'

export interface Column<Row> {
  head: string
  /** The name of the order by this column, where the table is sortable. */
  sort?: string
  cell: (row: Row) => ReactNode
  /** Aligned at the right. */
  number?: true
  /** Names the row for screen readers. Preset: the first column does. */
  names?: true
}
/** How the rows are sorted, and what a press of a head asks for. */
interface Order {
  sort: string
  direction: 'up' | 'down'
  onSort: (sort: string) => void
}

interface TableProps<Row> {
  /** What the table holds, for screen readers. */
  caption: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  order?: Order
  /** The head stays in view below the bar. */
  fixedHead?: true
  /** What a row is marked for, by a bar at its edge. */
  markOf?: (row: Row) => string | undefined
}

interface FoldedTableProps<Row> extends TableProps<Row> {
  /** What a press brings: 'All floors'. */
  words: string
  /** As many cards stand open on a phone. */
  few?: number
}

/** On a phone many rows are screens long: they open by a press. Paper has them all. */
export function FoldedTable<Row>({ words, few = 3, ...table }: FoldedTableProps<Row>) {
  const isWide = useIsWide()
  const { length } = table.rows
  if (isWide || length <= few) return <Table {...table} />
  return (
    <details>
      <summary className="rec-unfold">
        {words} ({length})
      </summary>
      <Table {...table} />
    </details>
  )
}

/** Where there is no room for columns each row becomes a card; on paper it is a table. */
export function Table<Row>({ caption, columns, rows, keyOf, order, fixedHead, markOf }: TableProps<Row>) {
  const naming = columns.find(({ names }) => names) ?? columns[0]
  return (
    <div className="rec-fit">
      {/* roles: a table whose rows are drawn as cards is none to some browsers */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table role="table" className="rec-table" data-fixed={fixedHead}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, number, sort }) => (
              <th key={head} role="columnheader" scope="col" data-number={number} aria-sort={sortOf(order, sort)}>
                {order && sort ? <SortButton head={head} sort={sort} order={order} /> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" data-mark={markOf?.(row)}>
              {columns.map((column) => {
                const { head, cell, number } = column
                const shown = cell(row)
                const words = typeof shown === 'string' ? breakable(shown) : shown
                return column === naming ? (
                  <th key={head} role="rowheader" scope="row">
                    {words}
                  </th>
                ) : (
                  <td key={head} role="cell" data-head={head} data-number={number}>
                    {words}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  )
}

const sortOf = (order: Order | undefined, sort: string | undefined) =>
  order && sort !== undefined && order.sort === sort
    ? order.direction === 'up'
      ? ('ascending' as const)
      : ('descending' as const)
    : undefined

function SortButton({ head, sort, order }: { head: string; sort: string; order: Order }) {
  const Icon = order.direction === 'up' ? ArrowUp : ArrowDown
  return (
    <button type="button" className="rec-sort" onClick={() => order.onSort(sort)}>
      {head}
      <Icon aria-hidden size={16} data-off={order.sort !== sort || undefined} />
    </button>
  )
}
