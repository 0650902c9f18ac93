import { useEffect, useState } from 'react'
import { InstructionSheet } from '../../features/command/instruction-sheet.tsx'
import { TakeSheet } from '../../features/command/take-sheet.tsx'
import { understoodStore } from '../../features/command/understood.ts'
import { useAskedToTake } from '../../features/command/use-asked-to-take.ts'
import { useCommandNews } from '../../features/command/use-command-news.ts'
import { useStore } from '../../lib/store.ts'
import { useBrief } from '../../reads/brief.data.ts'
import { useIsPressed } from './use-is-pressed.ts'

/**
 * C§9: what an event asks of its warden, over any event page: one sheet at a time, the instruction first. A sheet waits for
 * a finger that is down, and one that is open is not replaced by one of another kind.
 */
export function EventSheets() {
  useCommandNews()
  const read = useBrief()
  const understood = useStore(understoodStore)
  const isPressed = useIsPressed()
  const asked = useAskedToTake(read?.brief.command, read?.ahead ?? 0)
  const instruction = read?.brief.instruction
  const isInstructed = instruction && !understood.has(instruction.uid)
  const wanted = [...(isInstructed ? ['instruction'] : []), ...(asked ? ['take'] : [])]
  const [shown, setShown] = useState<string>()
  const next = shown !== undefined && wanted.includes(shown) ? shown : isPressed ? undefined : wanted[0]
  useEffect(() => setShown(next), [next])

  if (next === 'instruction' && instruction) return <InstructionSheet instruction={instruction} />
  if (next === 'take' && asked) return <TakeSheet {...asked} ahead={read?.ahead ?? 0} />
  return null
}
