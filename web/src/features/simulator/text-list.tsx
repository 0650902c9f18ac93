import type { SimulatedText } from '@evac/contract/simulator.ts'
import { useQuery } from '@tanstack/react-query'
import { formatClock } from '../../lib/dates.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { textsQuery } from './simulator.data.ts'

/** Newest first: what one waits for appears at the top. */
export function TextList({ mobile }: { mobile: string }) {
  const { data: texts } = useQuery(textsQuery(mobile))
  if (!texts) return <Skeleton rows={2} />
  return (
    <div role="log" aria-label="Texts" className="grid gap-3">
      {texts.length === 0 && (
        <p className="py-6 text-center text-muted">No texts yet. They appear here by themselves.</p>
      )}
      {texts.map((text) => (
        <Text key={text.id} text={text} />
      ))}
    </div>
  )
}

function Text({ text: { body, received_at } }: { text: SimulatedText }) {
  return (
    <article className="mr-6 rounded-2xl rounded-tl-sm border border-hairline bg-surface p-4">
      <p className="wrap-anywhere">
        {body.split(/(https?:\/\/\S+)/).map((part, i) => (i % 2 === 1 ? <TextLink key={part} address={part} /> : part))}
      </p>
      <p className="mt-1 text-sm text-muted tabular-nums">
        <time dateTime={received_at}>{formatClock(new Date(received_at))}</time>
      </p>
    </article>
  )
}

/** Opens in this tab, as on a phone. Our own links lead to the host that this page came from: APP_URL may name another. */
function TextLink({ address }: { address: string }) {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  return (
    <a
      href={url.pathname === '/login' ? url.pathname + url.search : address}
      className="inline-block py-2 font-semibold text-link underline underline-offset-4"
    >
      {address}
    </a>
  )
}
