import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOnline } from '#web/lib/use-online.ts'
import { CouldNotLoad } from '#web/live/could-not-load.tsx'

/** Above what this phone keeps of records. */
export function Offline() {
  const isOnline = useOnline()
  if (isOnline) return null
  return (
    <p role="status" className="card flex items-center gap-3 font-semibold print:hidden">
      <WifiOff aria-hidden className="shrink-0 text-warning-ink" />
      Offline. Records need a connection.
    </p>
  )
}

interface NotReadProps {
  read: { isError: boolean; isFetching: boolean; refetch: () => unknown }
}

/** A failed read keeps the answer before it. */
export const NotRead = ({ read }: NotReadProps) =>
  read.isError && (
    <div className="print:hidden">
      <CouldNotLoad read={read} />
    </div>
  )

/** Instead of rows. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="py-8 text-center text-lg text-muted">{children}</p>
)
