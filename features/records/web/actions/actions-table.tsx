import { formatDate } from '#web/lib/time/dates.ts'
import { Link } from '#web/ui/link.tsx'
import type { RecordAction } from '../../calls/additions.ts'
import { breakable } from '../parts/breakable.tsx'
import type { ActionsFilter } from '../parts/records.data.ts'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'
import { dueIn, isOverdue, stateLook } from './action-states.ts'

export type ActionsOrder = Required<Pick<ActionsFilter, 'sort' | 'direction'>>
export const earliestDueFirst: ActionsOrder = { sort: 'due', direction: 'up' }

interface ActionsTableProps {
  actions: readonly RecordAction[]
  order: ActionsOrder
  onOrder: (order: ActionsOrder) => void
  onOpen: (uid: string) => void
}

/** Actions where there is room for columns. The server sorts: it has all pages. */
export function ActionsTable({ actions, order, onOrder, onOpen }: ActionsTableProps) {
  const handleSort = (sort: string) =>
    onOrder({
      sort: sort as ActionsOrder['sort'],
      direction: order.sort === sort && order.direction === 'up' ? 'down' : 'up',
    })
  return (
    <Table
      caption="Actions"
      order={{ ...order, onSort: handleSort }}
      rows={actions}
      keyOf={({ uid }) => uid}
      columns={[
        { head: 'No.', sort: 'no', number: true, cell: ({ no }) => no ?? '–' },
        {
          head: 'What',
          sort: 'what',
          names: true,
          cell: ({ uid, what }) => (
            <button type="button" className="rec-title text-left" aria-haspopup="dialog" onClick={() => onOpen(uid)}>
              {breakable(what)}
            </button>
          ),
        },
        {
          head: 'Record',
          sort: 'record',
          cell: ({ event, number }) => (
            <Link to={addressOf(`/${event}`)} className="rec-title whitespace-nowrap">
              Record {number}
            </Link>
          ),
        },
        { head: 'Site', sort: 'site', cell: ({ site }) => site },
        { head: 'Priority', sort: 'priority', cell: ({ priority }) => priority },
        { head: 'Owner', sort: 'owner', cell: ({ owner, mine }) => `${owner.name}${mine ? ' (you)' : ''}` },
        {
          head: 'Due',
          sort: 'due',
          cell: (action) => (
            <>
              <span className="block whitespace-nowrap">{formatDate(action.due)}</span>
              <span
                className={`text-sm whitespace-nowrap ${isOverdue(action) ? 'font-semibold text-danger-ink' : 'text-muted'}`}
              >
                {dueIn(action)}
              </span>
            </>
          ),
        },
        { head: 'State', sort: 'state', cell: ({ state }) => <State state={state} /> },
      ]}
    />
  )
}

function State({ state }: Pick<RecordAction, 'state'>) {
  const { icon: Icon, ink, word } = stateLook[state]
  return (
    <span className="flex items-center gap-1.5 font-semibold">
      <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
      {word}
    </span>
  )
}
