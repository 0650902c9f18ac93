import { useEffect, useRef } from 'react'
import { useBrief } from '#web/reads/brief.data.ts'
import { toast } from '#web/ui/toast.tsx'

const shownFor = 10_000

/** Every phone on duty tells that someone else is in command now. */
export function useCommandNews(): void {
  const command = useBrief()?.brief.command
  const known = useRef<string>(undefined)
  useEffect(() => {
    if (!command) return
    const { turn, in_command: leader } = command
    if (known.current && known.current !== turn && leader)
      toast(`Now in command: ${leader.name}, ${leader.role}`, {
        delay: shownFor,
        slot: 'now in command',
        isHigh: true,
      })
    known.current = turn
  }, [command])
}
