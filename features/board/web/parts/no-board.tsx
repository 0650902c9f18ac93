import { Button } from '#web/ui/button.tsx'

/** The shape of what is coming, without numbers. */
export function BoardShape() {
  const cards = (count: number, className: string) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: they never move
    Array.from({ length: count }, (_, nth) => <div key={nth} className={`skeleton ${className}`} />)
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="bd-totals bd-shape">
        {cards(8, 'bd-total')}
      </div>
      <div aria-hidden className="bd-left bd-shape">
        {cards(1, 'bd-needs')}
      </div>
      <div aria-hidden className="bd-matrix bd-shape">
        <div className="bd-band">{cards(3, 'bd-building')}</div>
      </div>
    </>
  )
}

/** The reason in words; another try where that may help. */
export function NoBoard({ words, onRetry, isBusy = false }: { words: string; onRetry?: () => void; isBusy?: boolean }) {
  return (
    <div className="bd-none">
      <p role="status">{words}</p>
      {onRetry && (
        <Button variant="outline" busy={isBusy} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
