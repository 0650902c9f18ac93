interface SkeletonProps {
  /** Number of placeholder rows. */
  rows?: number
}

/** The outline of a list while it loads. Never invented names or numbers. */
export function Skeleton({ rows = 3 }: SkeletonProps) {
  return (
    <div className="grid gap-3">
      <p role="status" className="text-muted">
        Loading...
      </p>
      {Array.from({ length: rows }, (_, row) => (
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
