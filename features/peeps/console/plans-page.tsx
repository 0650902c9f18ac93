import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import type { PersonUid } from '#kernel/ids.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { StateFilter } from '#web/console/list/state-filter.tsx'
import { listName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { PersonSearch } from '#web/console/people-picker.tsx'
import { formatDate } from '#web/lib/time/dates.ts'
import { navigate } from '#web/pages/navigate.ts'
import type { ConsolePath } from '#web/pages/pages.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { type PlanRow, type PlansQuery, plansQuery } from './plans.data.ts'

const planPath = (uid: PersonUid): ConsolePath => `/console/plans/${uid}`

const states = [
  { value: '', label: 'All' },
  { value: 'overdue', label: 'Review overdue' },
  { value: 'no_consent', label: 'Consent not recorded' },
  { value: 'not_told', label: 'Not told' },
]

const columns = [
  { head: 'Floor', cell: ({ place }: PlanRow) => place ?? 'No floor' },
  { head: 'Review', cell: ({ review_on }: PlanRow) => (review_on ? formatDate(review_on) : 'No day') },
  { head: 'Open', cell: Marks },
]

/** Who has a plan, without a word of it. */
export function PlansPage() {
  const address = useListAddress(['state'])
  // an address that someone typed is checked by the server
  const read = useQuery(plansQuery(address.query as PlansQuery))
  return (
    <PageFrame
      title="Plans"
      purpose="Who needs help to get out. Each view of a plan is recorded."
      button={<WritePlan />}
    >
      <List
        label="Plans"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        name={(row) => <span className="font-semibold">{listName(row)}</span>}
        to={({ uid }) => planPath(uid)}
        columns={columns}
        search="Search plans"
        filters={<StateFilter address={address} options={states} />}
        empty="No one has a plan yet."
      />
    </PageFrame>
  )
}

function Marks({ is_overdue, has_consent, is_untold }: PlanRow) {
  if (!is_overdue && has_consent && !is_untold) return null
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1 font-semibold text-ink">
      {is_overdue && (
        <span className="inline-flex items-center gap-1">
          <CalendarClock aria-hidden size={16} /> Review overdue
        </span>
      )}
      {!has_consent && (
        <span className="inline-flex items-center gap-1">
          <CircleAlert aria-hidden size={16} /> Consent not recorded
        </span>
      )}
      {is_untold && (
        <span className="inline-flex items-center gap-1">
          <CircleAlert aria-hidden size={16} /> Not told
        </span>
      )}
    </span>
  )
}

/** Chooses the person whose plan is written. Who has one already is led to it. */
function WritePlan() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Write a plan</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Write a plan">
        {open && <PersonSearch label="Person" onPick={({ uid }) => navigate(planPath(uid))} />}
      </Dialog>
    </>
  )
}
