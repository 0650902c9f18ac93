import { useOnline } from '../lib/use-online.ts'

interface SkeletonProps {
  /** Number of placeholder rows. */
  rows?: number
}

/** The outline of a list while it loads. Never invented names or numbers. Without signal nothing loads (UX-71). */
export function Skeleton({ rows = 3 }: SkeletonProps) {
  const isOnline = useOnline()
  return (
    <div className="grid gap-3">
      <p role="status" className={isOnline ? 'text-muted' : 'py-8 text-center text-lg'}>
        {isOnline ? 'Loading...' : 'Not on this phone yet. It needs a connection.'}
      </p>
      {Array.from({ length: isOnline ? rows : 0 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={row} aria-hidden className="card grid gap-3">
          <div className="skeleton h-5 w-2/3" />
          <div className="skeleton h-4 w-2/5" />
          <div className="skeleton h-13 w-full" />
        </div>
      ))}
    </div>
  )
}
