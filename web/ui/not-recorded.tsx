import { CircleAlert } from 'lucide-react'

/** Shown below the button of a life-critical change if it failed. Other failures only stop the loader. */
export function NotRecorded({ shown }: { shown: boolean }) {
  return (
    <p role="alert" className="flex items-center justify-center gap-2 font-semibold text-danger-ink empty:hidden">
      {shown && (
        <>
          <CircleAlert aria-hidden size={20} className="shrink-0" />
          Not recorded. Try again.
        </>
      )}
    </p>
  )
}
