import { useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { findPage } from '#web/pages/find-page.ts'
import type { MessageTemplate } from './templates.data.ts'

/** What is being written, its template, and whether it asks for a coded answer. */
export function useMessageDraft() {
  // In a thread. What a group is told is written for those chosen now.
  const isThread = findPage(location.pathname)?.besideList
  const [text, setText] = useKept(isThread ? `${location.pathname} draft` : null, '')
  const [template, setTemplate] = useState<MessageTemplate | null>(null)
  const [isRejected, setRejected] = useState(false)

  /** What would be longer than 130 characters is rejected whole; nothing of what stands there is lost. */
  const write = (next: string) => {
    const fits = next.length <= limits.messageLength
    setRejected(!fits)
    if (fits) setText(next)
  }
  return {
    text,
    isEmpty: text.trim() === '',
    isRejected,
    /** A coded answer is asked for only by a template whose words still stand. */
    automatedResponse: template?.text === text ? template.automated_response_message : (0 as const),
    write,
    choose: (chosen: MessageTemplate) => {
      setTemplate(chosen)
      write(chosen.text)
    },
    clear: () => {
      setTemplate(null)
      write('')
    },
  }
}
