import type { ReactNode } from 'react'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** Aligned at the right. */
  number?: true
}
interface TableProps<Row> {
  /** What the table holds, for screen readers. */
  caption: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** The head stays in view below the bar. */
  fixedHead?: true
}

/** The first column names the row. Where there is no room for columns each row becomes a card; on paper it is a table. */
export function Table<Row>({ caption, columns, rows, keyOf, fixedHead }: TableProps<Row>) {
  const [first, ...others] = columns
  return (
    <div className="rec-fit">
      {/* roles: a table whose rows are drawn as cards is none to some browsers */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table role="table" className="rec-table" data-fixed={fixedHead}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, number }) => (
              <th key={head} role="columnheader" scope="col" data-number={number}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              <th role="rowheader" scope="row">
                {first.cell(row)}
              </th>
              {others.map(({ head, cell, number }) => (
                <td key={head} role="cell" data-head={head} data-number={number}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  )
}
