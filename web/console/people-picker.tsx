import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { useDebounced } from '../lib/use-debounced.ts'
import { consoleCall } from '../session/console-session.ts'
import { Button } from '../ui/button.tsx'
import { SearchBox } from '../ui/fields/search-box.tsx'
import { fullName } from './names.ts'

export interface ChosenPerson {
  uid: PersonUid
  name: string
  /** 'Building - Floor'. */
  place?: string | null
}

interface PeoplePickerProps {
  people: readonly ChosenPerson[]
  onChange: (people: ChosenPerson[]) => void
  /** How many may be chosen. */
  most: number
  /** Only the staff. */
  kind?: 'staff'
}

interface Asked {
  /** Only the staff. */
  kind?: 'staff' | undefined
  /** Inactive people too. */
  state?: 'all'
}

const foundQuery = (q: string, { kind, state }: Asked) =>
  queryOptions({
    queryKey: ['people', { q, kind, state }],
    queryFn: ({ signal }) =>
      consoleCall(
        'GET /api/console/people',
        { query: { q, ...(kind && { kind }), ...(state && { state }) } },
        { signal },
      ),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

interface PersonSearchProps extends Asked {
  label: string
  /** These are not offered. */
  without?: readonly ChosenPerson[]
  onPick: (person: ChosenPerson) => void
}

/** Finds a person by names, codes, e-mails and mobiles. */
export function PersonSearch({ label, without = [], onPick, ...asking }: PersonSearchProps) {
  const [text, setText] = useState('')
  const asked = useDebounced(text.trim(), limits.searchDebounce)
  const { data } = useQuery(foundQuery(asked, asking))
  const isAsking = asked !== '' && text !== ''
  const found = (isAsking ? (data?.rows ?? []) : []).filter(({ uid }) => without.every((one) => one.uid !== uid))
  return (
    <>
      <SearchBox label={label} value={text} onChange={setText} />
      <ul aria-label="People" className="console-picks grid empty:hidden">
        {found.map(({ uid, place, ...named }) => (
          <li key={uid}>
            <button
              type="button"
              className="btn w-full justify-start text-left console-choice font-normal"
              onClick={() => {
                setText('')
                onPick({ uid, name: fullName(named), place })
              }}
            >
              <span className="min-w-0">
                <span className="block font-semibold">{fullName(named)}</span>
                <span className="block text-sm text-muted">{place ?? 'No floor'}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isAsking && data && data.rows.length === 0 && (
        <p className="text-sm text-muted">
          {data.total > 0
            ? 'More than 200 people match. Type more letters.'
            : asking.kind
              ? 'No one on the staff has that name.'
              : 'No one has that name.'}
        </p>
      )}
    </>
  )
}

/** Chooses people by a search. Those chosen stand above. */
export function PeoplePicker({ people, onChange, most, kind }: PeoplePickerProps) {
  return (
    <div className="grid gap-2">
      <ul aria-label="Chosen people" className="flex flex-wrap gap-2 empty:hidden">
        {people.map((person) => (
          <li key={person.uid}>
            <Button
              variant="quiet"
              aria-label={`Remove ${person.name}`}
              onClick={() => onChange(people.filter(({ uid }) => uid !== person.uid))}
            >
              {person.name} ×
            </Button>
          </li>
        ))}
      </ul>
      {people.length < most && (
        <PersonSearch
          label="Search people"
          kind={kind}
          without={people}
          onPick={(person) => onChange([...people, person])}
        />
      )}
    </div>
  )
}
