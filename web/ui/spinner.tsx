import { LoaderCircle } from 'lucide-react'

interface SpinnerProps {
  /** Shown next to the spinner and read out. Without a label the spinner is decorative. */
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
