import { Link2 } from 'lucide-react'
import type { RefObject } from 'react'
import { linkPlaceholder } from '#features/self-report/kinds.ts'
import * as limits from '#kernel/limits.ts'
import { Button } from '../button.tsx'

interface InsertLinkProps {
  /** Where the message is written. */
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  disabled?: boolean
  onChange: (text: string) => void
  className?: string
}

/** Puts `{link}` where the cursor stands. Once in a message is enough. */
export function InsertLink({ field, text, disabled = false, onChange, className = '' }: InsertLinkProps) {
  const insert = () => {
    const element = field.current
    const from = element?.selectionStart ?? text.length
    const [before, after] = [text.slice(0, from), text.slice(element?.selectionEnd ?? from)]
    // letters that touch an address would belong to it
    const piece = `${/\S$/.test(before) ? ' ' : ''}${linkPlaceholder}${/^\S/.test(after) ? ' ' : ''}`
    onChange(before + piece + after)
    // after the new text is drawn, which moves the cursor to its end
    requestAnimationFrame(() => {
      element?.focus()
      element?.setSelectionRange(from + piece.length, from + piece.length)
    })
  }
  const hasRoom = text.length + linkPlaceholder.length + 2 <= limits.messageLength
  return (
    <Button
      variant="outline"
      icon={Link2}
      className={className}
      disabled={disabled || !hasRoom || text.includes(linkPlaceholder)}
      onClick={insert}
    >
      Own page
    </Button>
  )
}

/** What the placeholder is, where one stands in the text. */
export const AboutLink = ({ text }: { text: string }) =>
  text.includes(linkPlaceholder) ? (
    <>{linkPlaceholder} becomes a link to the person's own page, which asks: safe, or in need of help?</>
  ) : null
