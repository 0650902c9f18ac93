import { useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { findPage } from '#web/pages/find-page.ts'
import type { MessageTemplate } from './templates.data.ts'

/** What is being written: CONST-08, AMB-130, AMB-133. */
export function useMessageDraft() {
  // UX-20: in a thread. What a group is told is written for those chosen now.
  const isThread = findPage(location.pathname)?.besideList
  const [text, setText] = useKept(isThread ? `${location.pathname} draft` : null, '')
  const [template, setTemplate] = useState<MessageTemplate | null>(null)
  const [isRejected, setRejected] = useState(false)

  /** MSG-15: what would be longer than 130 characters is rejected whole; nothing of what stands there is lost. */
  const write = (next: string) => {
    const fits = next.length <= limits.messageLength
    setRejected(!fits)
    if (fits) setText(next)
  }
  return {
    text,
    isEmpty: text.trim() === '',
    isRejected,
    /** MSG-32: a coded answer is asked for only by a template whose words still stand. */
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
