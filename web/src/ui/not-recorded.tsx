import { CircleAlert } from 'lucide-react'

/** Below the button of a change that decides over a life: its failure is told, where others only stop the loader (ERR-06). */
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
