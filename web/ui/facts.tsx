import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOnline } from '../lib/use-online.ts'

/** A list of facts, one per line. */
export function Facts({ children, loading = false }: { children: ReactNode; loading?: boolean }) {
  return (
    <dl aria-busy={loading} className="card grid gap-4 p-4 wrap-anywhere">
      {children}
    </dl>
  )
}

interface FactProps {
  icon: LucideIcon
  label: string
  /** Shows 'Loading...' until there is an answer. Without signal nothing loads. */
  loading?: boolean
  children?: ReactNode
}

export function Fact({ icon: Icon, label, loading = false, children }: FactProps) {
  const isOnline = useOnline()
  return (
    <div>
      <dt className="flex items-center gap-3 text-muted">
        <Icon aria-hidden size={20} className="shrink-0 text-link" />
        {label}
      </dt>
      <dd className="pl-8 text-lg leading-snug font-semibold">
        {loading ? <span className="font-normal text-muted">{isOnline ? 'Loading...' : '–'}</span> : children}
      </dd>
    </div>
  )
}
