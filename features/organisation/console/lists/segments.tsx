import { asSent, segmentsOf } from '#features/texts/segments.ts'
import * as limits from '#kernel/limits.ts'
import { withLink } from '#web/ui/fields/own-link.ts'

/** The counter of a message, and how many segments it takes as a text, with its link. */
export function Segments({ text }: { text: string }) {
  const { segments } = segmentsOf(asSent(withLink(text)))
  return (
    <>
      {text.length} of {limits.messageLength}, {segments.length === 1 ? '1 segment' : `${segments.length} segments`} as
      a text
    </>
  )
}
