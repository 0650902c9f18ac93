import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { formatClock } from '#web/lib/time/server-clock.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { mailsQuery, textsQuery } from './simulator.data.ts'

interface Message {
  id: string
  /** A mail's; a text has none. */
  subject?: string
  body: string
  received_at: string
}

/** Texts and emails, newest first: what one waits for appears at the top. */
export function TextList({ mobile }: { mobile: string }) {
  const { data: texts } = useQuery(textsQuery(mobile))
  const { data: mails = [] } = useQuery(mailsQuery(mobile))
  if (!texts) return <Skeleton parts={['theirs', 'theirs']} />
  const messages: Message[] = [...texts, ...mails].sort((a, b) => b.received_at.localeCompare(a.received_at))
  return (
    <div role="log" aria-label="Texts and emails" className="grid gap-3">
      {messages.length === 0 && (
        <p className="py-6 text-center text-muted">No texts yet. They appear here by themselves.</p>
      )}
      {messages.map((message) => (
        <Bubble key={message.id} message={message} />
      ))}
    </div>
  )
}

function Bubble({ message: { subject, body, received_at } }: { message: Message }) {
  return (
    <article className="mr-6 rounded-2xl rounded-tl-sm border border-hairline bg-surface p-4">
      {subject && (
        <h2 className="mb-2 flex items-center gap-2 text-lg leading-tight font-bold">
          <Mail aria-label="Mail:" className="shrink-0 text-link" />
          {subject}
        </h2>
      )}
      <p className="whitespace-pre-line wrap-anywhere">
        {body.split(/(https?:\/\/\S+)/).map((part, i) => (i % 2 === 1 ? <TextLink key={part} address={part} /> : part))}
      </p>
      <p className="mt-1 text-sm text-muted tabular-nums">
        <time dateTime={received_at}>{formatClock(new Date(received_at))}</time>
      </p>
    </article>
  )
}

const ownPages = ['/login', '/reset-password', '/console/invitation', '/console/sign-in']

/** Opens in this tab, as on a phone. Our own links lead to the host that this page came from: APP_URL may name another. */
function TextLink({ address }: { address: string }) {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  return (
    <a
      href={ownPages.includes(url.pathname) ? url.pathname + url.search + url.hash : address}
      className="inline-block py-2 font-semibold text-link underline underline-offset-4"
    >
      {address}
    </a>
  )
}
