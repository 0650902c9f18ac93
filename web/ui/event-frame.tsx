import { ShieldCheck, Siren } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface EventFrameProps extends ComponentProps<'article'> {
  /** True for an event in progress: a thick red frame. The icon and the words in the band say the same. */
  inEvent: boolean
  /** Content of the coloured band: an icon and words. */
  band: ReactNode
  children: ReactNode
}

/** An event in progress has a thick red frame, anything else a grey one. */
export function EventFrame({ inEvent, band, children, ...rest }: EventFrameProps) {
  return (
    <article
      className={`overflow-hidden rounded-2xl bg-surface wrap-anywhere ${inEvent ? 'border-4 border-red' : 'border-2 border-grey'}`}
      {...rest}
    >
      <div
        className={`flex items-center gap-3 px-4 py-2.5 text-lg font-bold ${inEvent ? 'bg-red text-on-red' : 'bg-raised'}`}
      >
        {band}
      </div>
      {children}
    </article>
  )
}

/** The band of a frame that says whether an event is in progress. */
export function EventBand({ inEvent, title }: { inEvent: boolean; title: string }) {
  const Icon = inEvent ? Siren : ShieldCheck
  return (
    <>
      <Icon aria-hidden className="shrink-0" />
      <h2>{title}</h2>
    </>
  )
}
