import { LoaderCircle } from 'lucide-react'

interface SpinnerProps {
  /** Drawn beside it and read out; without one the spinner is only a picture. */
  label?: string
}

export function Spinner({ label }: SpinnerProps) {
  const picture = <LoaderCircle aria-hidden className="shrink-0 animate-spin" />
  if (!label) return picture
  return (
    <p role="status" className="flex items-center justify-center gap-3 p-6 text-muted">
      {picture}
      {label}
    </p>
  )
}
