import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { listName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { duplicatesQuery, mostPairs, type Pair } from './people.data.ts'

const reasonWords: Record<Pair['reasons'][number], string> = {
  email: 'Email',
  mobile: 'Mobile',
  name: 'Name and floor',
}

const columns = [
  {
    head: 'And',
    cell: ({ other }: Pair) => (
      <Link to={`/console/people/${other.uid}`} className="console-name">
        <Twin person={other} />
      </Link>
    ),
  },
  { head: 'The same', cell: ({ reasons }: Pair) => reasons.map((reason) => reasonWords[reason]).join(', ') },
]

/** Who may be in the directory twice. */
export function DuplicatesPage() {
  const address = useListAddress([])
  const read = useQuery(duplicatesQuery)
  const [chosen, setChosen] = useState<Pair | null>(null)
  return (
    <PageFrame
      title="Duplicates"
      purpose="Active staff with the same email, the same mobile, or the same name and floor. Each is counted separately in an event."
      isBelow
    >
      <List
        label="Duplicates"
        read={read}
        address={address}
        keyOf={({ one, other }) => `${one.uid} ${other.uid}`}
        nameHead="Person"
        name={({ one }) => <Twin person={one} />}
        to={({ one }) => `/console/people/${one.uid}`}
        columns={columns}
        actions={(pair) => (
          <Button variant="outline" aria-label={`Merge ${listName(pair.one)}`} onClick={() => setChosen(pair)}>
            Merge
          </Button>
        )}
        empty="No two people in the directory share an email, a mobile, or a name and floor."
      />
      {(read.data?.total ?? 0) > mostPairs && (
        <p className="text-sm text-muted">There are more. They appear once these are merged.</p>
      )}
      {chosen && <MergeDialog pair={chosen} onClose={() => setChosen(null)} />}
    </PageFrame>
  )
}

function Twin({ person }: { person: Pair['one'] }) {
  return (
    <>
      <span className="font-semibold">{listName(person)}</span>
      <span className="block text-sm font-normal text-muted">
        {person.code}
        {person.place && `, ${person.place}`}
      </span>
    </>
  )
}
