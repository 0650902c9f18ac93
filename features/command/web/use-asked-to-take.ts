import { useState } from 'react'
import { useNow } from '#web/lib/time/use-now.ts'
import type { Brief } from '#web/reads/brief.data.ts'

/** What the reader is asked now, unless they said 'Not now' to it. */
export function useAskedToTake(command: Brief['command'] | undefined, ahead: number) {
  const [putOff, setPutOff] = useState<string>()
  const tick = useNow(5_000) + ahead
  const take = command?.take
  if (!command || !take) return undefined
  const now = Math.max(tick, Date.parse(command.at))
  const key = `${command.turn} ${take.why} ${take.from}`
  const isDue = Date.parse(take.from) <= now && (take.until === null || now < Date.parse(take.until))
  if (!isDue || putOff === key) return undefined
  return { command, take, onNotNow: () => setPutOff(key) }
}
