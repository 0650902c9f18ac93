import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import type { ListPage } from '#kernel/console-list.ts'
import { formatCount } from '../../lib/counts.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { useOnline } from '../../lib/use-online.ts'
import { navigate } from '../../pages/navigate.ts'
import type { ConsolePath } from '../../pages/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { useZone } from '../me.data.ts'
import { formatSecondIn } from '../zone-time.ts'
import type { ListAddress } from './list-address.ts'
import { type Order, orderOf, SortField, SortHead } from './list-order.tsx'
import { ListTools } from './list-tools.tsx'

export interface Column<Row> {
  /** The column's header. On a card the value stands without it. */
  head: string
  cell: (row: Row) => ReactNode
  /** What the list is sorted by in its address. Without it the column does not sort. */
  sort?: string
  /** Shown to who chooses it alone. */
  isExtra?: true
  /** Only in the table: a card shows what matters most. */
  tableOnly?: true
}

/** Rows that are ticked for an act on all of them. */
export interface Ticks<Row> {
  isTicked: (row: Row) => boolean
  /** Ticks or unticks. */
  tick: (rows: readonly Row[], isTicked: boolean) => void
  /** The row for screen readers: 'Kim Lee'. */
  labelOf: (row: Row) => string
}

export interface ListProps<Row, Name extends string> {
  /** What the table holds, for screen readers: 'People'. */
  label: string
  read: Pick<UseQueryResult<ListPage<Row>>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>
  address: ListAddress<Name>
  keyOf: (row: Row) => string
  /** The first column: the row's name. With `to` it is a link, which a click anywhere in the row follows. */
  name: (row: Row) => ReactNode
  /** Header of the first column: 'Name' unless the list says otherwise. */
  nameHead?: string
  /** By which the first column sorts. The list begins with it, and has it however long it is. */
  nameSort?: string
  to?: (row: Row) => ConsolePath
  columns: readonly Column<Row>[]
  /** Buttons of a row, in the last column or at the foot of its card. */
  actions?: (row: Row) => ReactNode
  /** Without it rows have no box to tick. */
  ticks?: Ticks<Row>
  /** Name of the search field. Without it there is none. */
  search?: string
  /** Fields that set filters of `address`. */
  filters?: ReactNode
  /** Buttons beside the search: what is shown of the list, and where it goes. */
  tools?: ReactNode
  /** 'No one found with these filters.' where the rows are no people. */
  nobody?: string
  /** For an organisation that has none of this: one sentence. The page's main button adds. */
  empty: string
  /** Instead of rows: the search has found too many. */
  tooMany?: string | false | undefined
}

/**
 * A list by key with its search, filters, count and pages. A table where there is room, cards below
 * 900 px. `/` searches, Enter opens, Esc clears the search and then leaves it.
 */
export function List<Row, Name extends string>(props: ListProps<Row, Name>) {
  const { label, read, address, search, filters, tools, empty, tooMany } = props
  const { nobody = 'No one found with these filters.' } = props
  const { data, error, isFetching, isPlaceholderData, refetch } = read
  const isWide = useIsWide()
  const isNarrowed = address.filtered > 0 || address.query.q !== undefined
  const Rows = isWide ? Table : Cards
  const order = orderOf(props)
  const isUnsortable = error instanceof ApiError && error.problems.some(({ field }) => field === 'sort')
  return (
    <div className="grid grid-cols-1 gap-3">
      {(search || filters) && (
        <ListTools
          address={address}
          search={search}
          filters={filters}
          tools={isWide && tools}
          sort={order && !isWide && <SortField order={order} />}
        />
      )}
      {isUnsortable && (
        <>
          <Notice variant="warning">{error.message}</Notice>
          <Button variant="outline" onClick={() => order?.sort('')}>
            Sort by name
          </Button>
        </>
      )}
      {error && !isUnsortable && (
        <>
          <Notice variant="danger">The list could not be loaded.</Notice>
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      )}
      {!data && !error && <ListShape columns={isWide ? props.columns.length + 1 : 1} />}
      {data && tooMany && <p className="console-none">{tooMany}</p>}
      {data && !tooMany && data.rows.length === 0 && (
        <div className="console-none">
          <p>{isNarrowed ? nobody : empty}</p>
          {isNarrowed && (
            <Button variant="outline" onClick={address.clear}>
              Clear filters
            </Button>
          )}
        </div>
      )}
      {data && data.rows.length > 0 && (
        <section
          aria-label={label}
          aria-busy={isPlaceholderData || undefined}
          className={error || isPlaceholderData ? 'sample' : undefined}
        >
          <Rows {...props} rows={data.rows} order={order} />
        </section>
      )}
      {tools && !isWide && <div className="console-list-tools">{tools}</div>}
      {data && !tooMany && <ListFoot page={data} address={address} />}
    </div>
  )
}

type RowsProps<Row, Name extends string> = ListProps<Row, Name> & { rows: readonly Row[]; order: Order | undefined }

function NameOf<Row, Name extends string>({ row, to, name }: { row: Row } & Pick<ListProps<Row, Name>, 'to' | 'name'>) {
  if (!to) return name(row)
  return (
    <Link to={to(row)} className="console-name">
      {name(row)}
    </Link>
  )
}

function Table<Row, Name extends string>({
  label,
  rows,
  keyOf,
  nameHead = 'Name',
  name,
  to,
  columns,
  actions,
  ticks,
  order,
  nameSort,
}: RowsProps<Row, Name>) {
  const open = (row: Row) => to && navigate(to(row))
  return (
    <div className="overflow-x-auto rounded-xl border border-hairline bg-surface">
      <table className="console-table">
        <caption className="sr-only">{label}</caption>
        <thead className="bg-raised text-muted">
          <tr>
            {ticks && (
              <td className="console-tick">
                <Tick
                  label="Tick all on this page"
                  checked={rows.every(ticks.isTicked)}
                  onChange={(isTicked) => ticks.tick(rows, isTicked)}
                />
              </td>
            )}
            {[{ head: nameHead, sort: nameSort }, ...columns].map(({ head, sort }) => (
              <SortHead key={head} head={head} sort={sort} order={order} />
            ))}
            {actions && (
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            // the link in the row is the keyboard's way
            <tr key={keyOf(row)} className={to && 'console-choice cursor-pointer'} onClick={pressed(() => open(row))}>
              {ticks && (
                <td className="console-tick">
                  <TickOf row={row} ticks={ticks} />
                </td>
              )}
              <th scope="row">
                <NameOf row={row} to={to} name={name} />
              </th>
              {columns.map(({ head, cell }) => (
                <td key={head}>{cell(row)}</td>
              ))}
              {actions && <td>{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Tick({ label, checked, onChange }: { label: string; checked: boolean; onChange: (is: boolean) => void }) {
  return (
    <label className="console-tick-box">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

function TickOf<Row>({ row, ticks: { isTicked, tick, labelOf } }: { row: Row; ticks: Ticks<Row> }) {
  return <Tick label={`Tick ${labelOf(row)}`} checked={isTicked(row)} onChange={(wanted) => tick([row], wanted)} />
}

function Cards<Row, Name extends string>({ rows, keyOf, name, to, columns, actions, ticks }: RowsProps<Row, Name>) {
  const open = (row: Row) => to && navigate(to(row))
  return (
    <ul className="grid gap-3">
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the link in the card is the keyboard's way
        <li
          key={keyOf(row)}
          className={`card grid gap-1 ${to ? 'cursor-pointer' : ''}`}
          onClick={pressed(() => open(row))}
        >
          <div className="flex items-start justify-between gap-2 text-lg leading-tight font-bold wrap-anywhere">
            <span className="min-w-0">
              <NameOf row={row} to={to} name={name} />
            </span>
            {ticks && <TickOf row={row} ticks={ticks} />}
          </div>
          {columns
            .filter(({ tableOnly }) => !tableOnly)
            .map(({ head, cell }) => (
              <div key={head} className="wrap-anywhere text-muted empty:hidden">
                {cell(row)}
              </div>
            ))}
          {actions?.(row)}
        </li>
      ))}
    </ul>
  )
}

/** A press on the row itself: its links and buttons act by themselves, and marking a text opens nothing. */
const pressed = (open: () => void) => (event: React.MouseEvent<HTMLElement>) => {
  if ((event.target as HTMLElement).closest('a, button, input, label, select')) return
  if (String(getSelection())) return
  open()
}

/** The outline of the rows to come. */
function ListShape({ columns }: { columns: number }) {
  const isOnline = useOnline()
  if (!isOnline) return null
  return (
    <div className="grid gap-px overflow-hidden rounded-xl border border-hairline bg-surface">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {Array.from({ length: 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never move
        <div key={row} aria-hidden className="flex gap-6 px-4 py-3">
          {Array.from({ length: columns }, (_, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never move
            <div key={nth} className="skeleton h-5 flex-1" />
          ))}
        </div>
      ))}
    </div>
  )
}

/** The count, the moment, and the neighbouring pages. */
function ListFoot<Name extends string>({ page, address }: { page: ListPage<unknown>; address: ListAddress<Name> }) {
  const zone = useZone()
  const { before, after } = page.more
  const turn = (to: { after: string } | { before: string }) => {
    address.turn(to)
    window.scrollTo(0, 0)
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-muted tabular-nums">
        {page.total > 10_000 ? '10,000+' : formatCount(page.total)}, as of{' '}
        <time dateTime={page.asOf}>{formatSecondIn(page.asOf, zone)}</time>
      </p>
      {(before !== null || after !== null) && (
        <nav aria-label="Pages" className="flex gap-2">
          <Button variant="outline" disabled={before === null} onClick={() => before && turn({ before })}>
            Previous
          </Button>
          <Button variant="outline" disabled={after === null} onClick={() => after && turn({ after })}>
            Next
          </Button>
        </nav>
      )}
    </div>
  )
}
