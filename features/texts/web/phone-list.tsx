import { useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { isNamed } from '#kernel/name-fold.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { SimulatedPhone } from '../calls/simulator.ts'
import { formatMobile } from './format-mobile.ts'
import { phonesQuery, pollEvery } from './simulator.data.ts'

export function PhoneList({ onChoose }: { onChoose: (mobile: string) => void }) {
  const [search, setSearch] = useState('')
  const wanted = useDebounced(search.trim(), limits.searchDebounce)
  const { data } = useQuery({ ...phonesQuery(wanted), refetchInterval: pollEvery })
  const phones = data?.filter(fits(search.trim()))
  return (
    <>
      <SearchBox label="Search by name or number" value={search} onChange={setSearch} />
      {!phones && <Skeleton parts={['line', 'line', 'line']} />}
      {phones?.length === 0 && <p className="py-6 text-center text-muted">No phone with this name or number</p>}
      <ul className="grid gap-2">
        {phones?.map((phone) => (
          <li key={phone.mobile}>
            <Phone phone={phone} onChoose={() => onChoose(phone.mobile)} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The server's rule, for the list that is shown until its answer comes: no one taps a phone that is about to go. */
function fits(search: string) {
  const digits = search.replace(/[\s+()-]/g, '').replace(/^0/, '')
  const isFound = isNamed(search)
  return ({ name, mobile }: SimulatedPhone) => isFound(name) || (/^\d+$/.test(digits) && mobile.includes(digits))
}

function Phone({ phone: { mobile, name, texts, ringing }, onChoose }: { phone: SimulatedPhone; onChoose: () => void }) {
  return (
    <button type="button" className="card flex min-h-16 w-full items-center gap-3 text-left" onClick={onChoose}>
      <Smartphone aria-hidden className="shrink-0 text-link" />
      <span className="min-w-0 flex-1">
        <span className="block text-lg leading-tight font-bold">{name}</span>{' '}
        <span className="whitespace-nowrap text-muted tabular-nums">{formatMobile(mobile)}</span>
      </span>{' '}
      {ringing && (
        <span className="rounded-full bg-green px-2.5 py-0.5 text-sm font-bold whitespace-nowrap text-on-green">
          Ringing
        </span>
      )}
      {texts > 0 && (
        <span className="rounded-full bg-blue px-2.5 py-0.5 text-sm font-bold whitespace-nowrap text-on-blue">
          {texts} {texts === 1 ? 'text' : 'texts'}
        </span>
      )}
    </button>
  )
}
