import { asSent, segmentsOf } from '#features/texts/segments.ts'
import { drillPrefix } from '#features/texts/words.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { withLink } from '#web/ui/fields/own-link.ts'

/** How many segments the text costs per receiver, with what a drill puts before it and with its link. */
export function useSmsCount(text: string): number {
  const prefix = useAuth()?.event_kind === 'drill' ? drillPrefix : ''
  return segmentsOf(asSent(prefix + withLink(text))).segments.length
}
