import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { codesQuery } from './simulator.data.ts'

/** What the authenticators of the demo's administrators show. Nothing where there are none. */
export function CodeList() {
  const { data: codes = [] } = useQuery(codesQuery)
  if (codes.length === 0) return null
  return (
    <section aria-labelledby="codes-title" className="grid gap-2">
      <h2 id="codes-title" className="text-lg font-bold">
        Administrators' codes
      </h2>
      <ul className="grid gap-2">
        {codes.map(({ email, name, code }) => (
          <li key={email} className="card flex items-center gap-3">
            <KeyRound aria-hidden className="shrink-0 text-link" />
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{name}</span>
              <span className="block text-sm text-muted wrap-anywhere">{email}</span>
            </span>
            <span className="text-xl font-bold tabular-nums">{code}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
