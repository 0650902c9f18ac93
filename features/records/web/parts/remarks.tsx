import { RotateCw, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOnline } from '#web/lib/use-online.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

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

interface UnreadProps {
  read: { isError: boolean; isFetching: boolean; refetch: () => unknown }
}

/** A failed read keeps the answer before it. */
export function NotRead({ read: { isError, isFetching, refetch } }: UnreadProps) {
  if (!isError) return null
  return (
    <div className="print:hidden">
      <Notice variant="danger">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p>This could not be loaded. Try again.</p>
          <Button variant="outline" icon={RotateCw} busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      </Notice>
    </div>
  )
}

/** Instead of rows. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="py-8 text-center text-lg text-muted">{children}</p>
)
