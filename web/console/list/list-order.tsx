import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ListPage } from '#kernel/console-list.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import type { ListAddress } from './list-address.ts'

/** Up to this number of rows a list is sorted by any column. */
const mostSorted = 10_000

/** By which columns a list can be sorted now, and by which it is. */
export interface Order {
  /** Names in the address, with their headers. */
  choices: readonly { sort: string; head: string }[]
  column: string
  isDescending: boolean
  /** '' for the order in which the list begins. */
  sort: (by: string) => void
}

interface Sorted<Name extends string> {
  address: ListAddress<Name>
  nameSort?: string | undefined
  nameHead?: string
  columns: readonly { head: string; sort?: string }[]
  read: { data: ListPage<unknown> | undefined }
}

/** Undefined for a list that is not sorted. */
export function orderOf<Name extends string>({
  address,
  nameSort,
  nameHead = 'Name',
  columns,
  read,
}: Sorted<Name>): Order | undefined {
  if (nameSort === undefined) return undefined
  const isLong = (read.data?.total ?? 0) > mostSorted
  const { sort: given = nameSort } = address.query as { sort?: string }
  const others = isLong ? [] : columns.flatMap(({ sort, head }) => (sort ? [{ sort, head }] : []))
  return {
    choices: [{ sort: nameSort, head: nameHead }, ...others],
    column: given.replace('-', ''),
    isDescending: given.startsWith('-'),
    sort: (by) => address.filter({ sort: by === nameSort ? '' : by } as never),
  }
}

interface SortHeadProps {
  head: string
  sort: string | undefined
  order: Order | undefined
}

/** The header of a column. Pressed, it sorts by it, and pressed again the other way. */
export function SortHead({ head, sort, order }: SortHeadProps) {
  if (!order?.choices.some((choice) => choice.sort === sort))
    return (
      <th scope="col" className="font-semibold">
        {head}
      </th>
    )
  const isSorted = order.column === sort
  const Arrow = order.isDescending ? ArrowDown : ArrowUp
  return (
    <th scope="col" aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        className="console-sort"
        onClick={() => order.sort(isSorted && !order.isDescending ? `-${sort}` : `${sort}`)}
      >
        {head}
        {isSorted && <Arrow aria-hidden size={16} />}
      </button>
    </th>
  )
}

/** The same on a phone, whose cards have no headers. */
export function SortField({ order: { choices, column, isDescending, sort } }: { order: Order }) {
  return (
    <SelectField
      label="Sort by"
      compact
      value={`${isDescending ? '-' : ''}${column}`}
      options={choices.flatMap(({ sort: by, head }) => [
        { value: by, label: head },
        { value: `-${by}`, label: `${head}, descending` },
      ])}
      onChange={sort}
    />
  )
}
