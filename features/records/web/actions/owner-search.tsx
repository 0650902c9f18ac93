import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import type { ActionOwner } from '../../calls/additions.ts'
import { ownersQuery } from '../parts/records.data.ts'

interface OwnerSearchProps {
  owner: ActionOwner | null
  onChange: (owner: ActionOwner | null) => void
  error: string | false | undefined
}

/** Finds the owner of an action by name, among the people of the reader's places. */
export function OwnerSearch({ owner, onChange, error }: OwnerSearchProps) {
  if (owner)
    return (
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0">
          <span className="block font-semibold wrap-anywhere">{owner.name}</span>
          <span className="block text-sm text-muted">{owner.place ?? 'No floor'}</span>
        </span>
        <Button variant="quiet" onClick={() => onChange(null)}>
          Someone else
        </Button>
      </p>
    )
  return <Search onPick={onChange} error={error} />
}

function Search({ onPick, error }: { onPick: (owner: ActionOwner) => void; error: OwnerSearchProps['error'] }) {
  const [text, setText] = useState('')
  const asked = useDebounced(text.trim(), limits.searchDebounce)
  const { data, isError } = useQuery(ownersQuery(asked))
  const isAsking = asked !== '' && text !== ''
  return (
    <div className="grid grid-cols-1 gap-2">
      <SearchBox label="Search people" value={text} onChange={setText} />
      <ul aria-label="People" className="grid grid-cols-1 gap-1 empty:hidden">
        {(isAsking ? (data?.people ?? []) : []).map((found) => (
          <li key={found.person}>
            <Button variant="outline" className="w-full justify-start text-left" onClick={() => onPick(found)}>
              <span className="min-w-0">
                <span className="block wrap-anywhere">{found.name}</span>
                <span className="block text-sm font-normal text-muted">{found.place ?? 'No floor'}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {isAsking && data?.people.length === 0 && (
        <p className="text-sm text-muted">No one with that name in your areas.</p>
      )}
      {isAsking && isError && <p className="text-sm text-muted">This could not be loaded. Try again.</p>}
      {error && <p className="text-sm text-danger-ink">{error}</p>}
    </div>
  )
}
