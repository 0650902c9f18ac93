import { useState } from 'react'
import type { Brief } from '#web/reads/brief.data.ts'

/** An offer that another warden has met meanwhile is shown only to who saw it open. */
export function useOffer(offer: Brief['offer']) {
  const [seen, setSeen] = useState<string>()
  const [done, setDone] = useState<string>()
  const isOpen = offer !== null && offer.taken_by === null
  if (isOpen && seen !== offer.id) setSeen(offer.id)
  if (!offer || done === offer.id || (!isOpen && seen !== offer.id)) return undefined
  return { offer, onDone: () => setDone(offer.id) }
}
