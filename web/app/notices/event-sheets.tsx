import { useEffect, useState } from 'react'
import { InstructionSheet } from '#features/command/web/instruction-sheet.tsx'
import { TakeSheet } from '#features/command/web/take-sheet.tsx'
import { understoodStore } from '#features/command/web/understood.ts'
import { useAskedToTake } from '#features/command/web/use-asked-to-take.ts'
import { useCommandNews } from '#features/command/web/use-command-news.ts'
import { OfferSheet } from '#features/coverage/web/offer-sheet.tsx'
import { useStore } from '../../lib/store.ts'
import { type Brief, useBrief, useBriefNews } from '../../reads/brief.data.ts'
import { madeLiveStore } from '../../session/event-notices.ts'
import { useIsPressed } from './use-is-pressed.ts'

/**
 * What an event asks of its warden, over any event page: one sheet at a time, the instruction first, the offer of a floor last. A sheet waits for
 * a finger that is down, and one that is open is not replaced by one of another kind.
 */
export function EventSheets() {
  useCommandNews()
  useBriefNews()
  const read = useBrief()
  const understood = useStore(understoodStore)
  const isPressed = useIsPressed()
  const asked = useAskedToTake(read?.brief.command, read?.ahead ?? 0)
  const offered = useOffer(read?.brief.offer ?? null)
  const instruction = read?.brief.instruction
  const isInstructed = instruction && !understood.has(instruction.uid)
  const wanted = [...(isInstructed ? ['instruction'] : []), ...(asked ? ['take'] : []), ...(offered ? ['offer'] : [])]
  const [shown, setShown] = useState<string>()
  const next = shown !== undefined && wanted.includes(shown) ? shown : isPressed ? undefined : wanted[0]
  useEffect(() => setShown(next), [next])
  // 'This is not a drill' comes before all else, and nothing covers it
  if (useStore(madeLiveStore)) return null

  if (next === 'instruction' && instruction) return <InstructionSheet instruction={instruction} />
  if (next === 'take' && asked) return <TakeSheet {...asked} ahead={read?.ahead ?? 0} />
  if (next === 'offer' && offered) return <OfferSheet key={offered.offer.id} {...offered} />
  return null
}

/** An offer that another warden has met meanwhile is shown only to who saw it open. */
function useOffer(offer: Brief['offer']) {
  const [seen, setSeen] = useState<string>()
  const [done, setDone] = useState<string>()
  const isOpen = offer !== null && offer.taken_by === null
  if (isOpen && seen !== offer.id) setSeen(offer.id)
  if (!offer || done === offer.id || (!isOpen && seen !== offer.id)) return undefined
  return { offer, onDone: () => setDone(offer.id) }
}
