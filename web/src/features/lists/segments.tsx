import * as limits from '@evac/contract/limits.ts'
import { segmentsOf } from '@evac/contract/sms-segments.ts'

/** PPL-40: the counter of a message, and how many segments it takes as a text. */
export function Segments({ text }: { text: string }) {
  const { segments } = segmentsOf(text)
  return (
    <>
      {text.length} of {limits.messageLength}, {segments.length === 1 ? '1 segment' : `${segments.length} segments`} as
      a text
    </>
  )
}
