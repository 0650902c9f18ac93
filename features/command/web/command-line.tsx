import { TriangleAlert } from 'lucide-react'
import { useNow } from '#web/lib/time/use-now.ts'
import { useBrief } from '#web/reads/brief.data.ts'
import { Link } from '#web/ui/link.tsx'
import { minutesBetween } from './command-words.ts'

/** Who is in command, on every event page. */
export function CommandLine({ className = '' }: { className?: string }) {
  const read = useBrief()
  const now = useNow(5_000)
  if (!read?.brief.command) return null
  const { in_command: leader, silent_since, at } = read.brief.command
  // news of silence may be newer than the time that is shown
  const serverNow = Math.max(now + read.ahead, Date.parse(at))
  const isTrouble = !leader || silent_since !== null
  return (
    <Link to="/event/command" className={`flex min-h-7 min-w-0 items-center gap-1.5 text-sm ${className}`}>
      {isTrouble && <TriangleAlert aria-hidden size={16} className="shrink-0" />}
      <span className="min-w-0">
        {leader ? (
          <>
            In command: <b>{leader.name}</b>, {leader.role}
          </>
        ) : (
          'No one is in command.'
        )}
      </span>
      {silent_since && (
        <b className="shrink-0 tabular-nums">No contact for {minutesBetween(silent_since, serverNow)} min</b>
      )}
    </Link>
  )
}
