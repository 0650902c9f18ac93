import { Check, CheckCheck, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { safetyLabel } from '#kernel/vocabulary.ts'
import type { Message, TextState } from '../calls/messaging.ts'
import { Bubble, BubbleLine } from './sending/bubble.tsx'

interface MessageHistoryProps {
  messages: readonly Message[]
  /** Messages of this sender are the reader's own. */
  own: string | null
}

/** Oldest first; a new message is read out and, for who stands at the end, scrolled into sight. */
export function MessageHistory({ messages, own }: MessageHistoryProps) {
  const log = useRef<HTMLElement>(null)
  useFollowEnd(log, messages.at(-1)?.messageId)
  return (
    <section ref={log} role="log" aria-label="Message history" className="grid grow content-end">
      {messages.length === 0 && <p className="py-8 text-center text-lg text-muted">No messages yet</p>}
      <ol className="grid grid-cols-1 gap-3">
        {messages.map((message) => (
          <Entry key={message.messageId} message={message} isOwn={message.senderId === own} />
        ))}
      </ol>
    </section>
  )
}

function Entry({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { name, role, timestamp, text, sms, recorded, shared_with } = message
  return (
    <Bubble
      by={isOwn ? 'You' : name}
      role={isOwn ? undefined : role}
      at={new Date(timestamp)}
      text={text}
      isOwn={isOwn}
      bySms={sms && !message.delivery}
    >
      {shared_with && <p className="mt-1 text-sm font-bold">{`Shared number: ${shared_with}`}</p>}
      {recorded && (
        <p className="mt-1 text-sm font-bold">Recorded: {safetyLabel(recorded, false)}, by SMS, unverified</p>
      )}
      {isOwn && <Fate message={message} />}
      {!isOwn && message.delivery && <Delivery message={message} state={message.delivery} />}
    </Bubble>
  )
}

/** How far one's own message has come. */
function Fate({ message }: { message: Message }) {
  const { delivery, read, also_texted } = message
  return (
    <>
      {(!delivery || also_texted) && <BubbleLine icon={read ? CheckCheck : Check} text={read ? 'Read' : 'Sent'} />}
      {delivery && <Delivery message={message} state={delivery} />}
    </>
  )
}

const words: Record<TextState['status'], { icon: LucideIcon; text: string; isBad?: boolean }> = {
  queued: { icon: Clock, text: 'SMS waiting to be sent' },
  handed_over: { icon: Check, text: 'SMS sent' },
  delivered: { icon: CheckCheck, text: 'SMS delivered' },
  unconfirmed: { icon: Check, text: 'SMS sent, not confirmed: call instead' },
  failed: { icon: TriangleAlert, text: 'SMS not delivered', isBad: true },
  expired: { icon: TriangleAlert, text: 'SMS not sent in time', isBad: true },
  skipped: { icon: TriangleAlert, text: 'No SMS sent', isBad: true },
}

/** Of a message that was in the app for a while before it was texted. */
const alsoSent: Partial<Record<TextState['status'], string>> = {
  handed_over: 'Also sent by SMS',
  delivered: 'Also sent by SMS, delivered',
  unconfirmed: 'Also sent by SMS, not confirmed: call instead',
}

function Delivery({ message, state: { status, reason } }: { message: Message; state: TextState }) {
  const { icon, isBad = false } = words[status]
  const text = (message.also_texted && alsoSent[status]) || words[status].text
  return <BubbleLine icon={icon} text={isBad && reason ? `${text}: ${reason}` : text} isBad={isBad} />
}

const nearEnd = 240

/** What scrolls the thread: its pane where it stands beside a list, else the page. */
const scrollerOf = (log: Element | null) => log?.closest('[data-pane]') ?? document.documentElement

/** Opens at the newest message, and stays there unless the reader has scrolled up. */
function useFollowEnd(log: RefObject<Element | null>, lastId: number | undefined) {
  const isAtEnd = useRef(true)

  useEffect(() => {
    const note = () => {
      const { scrollHeight, clientHeight, scrollTop } = scrollerOf(log.current)
      isAtEnd.current = scrollHeight - clientHeight - scrollTop < nearEnd
    }
    // A pane's scroll does not bubble.
    window.addEventListener('scroll', note, { passive: true, capture: true })
    return () => window.removeEventListener('scroll', note, { capture: true })
  }, [log])

  useEffect(() => {
    const scroller = scrollerOf(log.current)
    if (lastId !== undefined && isAtEnd.current) scroller.scrollTo(0, scroller.scrollHeight)
  }, [log, lastId])
}
