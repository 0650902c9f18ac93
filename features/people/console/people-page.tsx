import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ColumnsButton, useColumns } from '#web/console/list/columns-button.tsx'
import { DownloadList } from '#web/console/list/download-list.tsx'
import { type Column, List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { fullName, listName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { formatDate } from '#web/lib/time/dates.ts'
import { navigate } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { type PersonColumn, personColumns, signInWords } from '../words.ts'
import {
  downloadPeople,
  duplicatesQuery,
  mostPairs,
  type PeopleQuery,
  type PersonRow,
  peopleFilters,
  peopleQuery,
} from './people.data.ts'
import { PeopleFilters } from './people-filters.tsx'
import { TickedBar } from './ticked-bar.tsx'

const mostMatches = 200

interface PersonListColumn extends Column<PersonRow> {
  sort: PersonColumn
}

const column = (
  sort: PersonColumn,
  cell: PersonListColumn['cell'],
  more: Pick<PersonListColumn, 'tableOnly' | 'isExtra'> = {},
): PersonListColumn => ({ head: personColumns[sort], sort, cell, ...more })

const columns: readonly PersonListColumn[] = [
  column('place', ({ place }) => place ?? <span className="text-muted">No floor</span>),
  column('kind', kindOf, { tableOnly: true }),
  column('groups', ({ groups }) => groups.join(', '), { tableOnly: true }),
  column('wardens', rolesOf),
  column(
    'sign_in',
    ({ sign_in }) => (
      <span className={sign_in === 'cannot' ? 'font-semibold text-danger-ink' : undefined}>{signInWords[sign_in]}</span>
    ),
    { tableOnly: true },
  ),
  column('email', ({ email }) => email, { isExtra: true }),
  column('mobile', ({ mobile }) => mobile, { isExtra: true }),
]

type Ticked = ReadonlyMap<PersonRow['uid'], PersonRow>
const none: Ticked = new Map()

function withRows(ticked: Ticked, rows: readonly PersonRow[], isTicked: boolean): Ticked {
  const next = new Map(ticked)
  for (const row of rows) {
    if (isTicked) next.set(row.uid, row)
    else next.delete(row.uid)
  }
  return next
}

/** Everyone within reach, by last name. */
export function PeoplePage() {
  const address = useListAddress(peopleFilters)
  // an address that someone typed is checked by the server
  const query = address.query as PeopleQuery
  const { shown, choose } = useColumns('people', columns)
  const hasContact = shown.some(({ isExtra }) => isExtra)
  const read = useQuery(peopleQuery({ ...query, ...(hasContact && { contact: 'yes' }) }))
  const [ticked, setTicked] = useState(none)
  const isTooMany = address.query.q !== undefined && (read.data?.total ?? 0) > mostMatches
  return (
    <PageFrame
      title="People"
      purpose="Everyone who is counted in an event, and who looks after them."
      button={<PageButtons />}
    >
      <TickedBar rows={[...ticked.values()]} onClear={() => setTicked(none)} />
      <List
        label="People"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        name={nameOf}
        to={({ uid }) => `/console/people/${uid}`}
        nameSort="name"
        columns={shown}
        tools={
          <>
            <ColumnsButton columns={columns} shown={shown} onChoose={choose} />
            <DownloadList
              name="people.csv"
              read={() =>
                downloadPeople(
                  query,
                  shown.map(({ sort }) => sort),
                )
              }
            />
          </>
        }
        search="Search people"
        filters={<PeopleFilters address={address} />}
        ticks={{
          isTicked: ({ uid }) => ticked.has(uid),
          tick: (rows, isTicked) => setTicked((now) => withRows(now, rows, isTicked)),
          labelOf: fullName,
        }}
        empty="There are no people yet. Add a person, or upload a spreadsheet saved as CSV."
        tooMany={isTooMany && `More than ${mostMatches} people match. Type more letters.`}
      />
    </PageFrame>
  )
}

/** One person, or a list of them. Duplicates are named where there are some. */
function PageButtons() {
  const { data } = useQuery(duplicatesQuery)
  const total = data?.total ?? 0
  return (
    <div className="flex flex-wrap gap-2">
      {total > 0 && (
        <Button variant="outline" onClick={() => navigate('/console/people/duplicates')}>
          Duplicates ({total > mostPairs ? `${mostPairs}+` : total})
        </Button>
      )}
      <Button variant="outline" onClick={() => navigate('/console/tables')}>
        Upload
      </Button>
      <Button className="flex-1" onClick={() => navigate('/console/people/new')}>
        Add a person
      </Button>
    </div>
  )
}

function nameOf(row: PersonRow) {
  return (
    <>
      <span className="font-semibold">{listName(row)}</span>
      {!row.active && <span className="console-chip">Inactive</span>}
    </>
  )
}

function kindOf({ kind, visit_date }: PersonRow) {
  return kind === 'staff' ? 'Staff' : `Visitor, ${visit_date ? formatDate(visit_date) : ''}`
}

function rolesOf({ roles }: PersonRow) {
  return (
    roles.length > 0 && (
      <span className="flex flex-wrap gap-1">
        {roles.map((role) => (
          <span key={role} className="console-chip">
            {role}
          </span>
        ))}
      </span>
    )
  )
}
