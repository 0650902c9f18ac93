import type { ComponentProps, ReactNode } from 'react'

interface EventFrameProps extends ComponentProps<'article'> {
  /** An event is in progress: red, and thick; the icon and the words in the band say the same. */
  inEvent: boolean
  /** What stands in the coloured band: an icon and words. */
  band: ReactNode
  children: ReactNode
}

/** LIST-10, LIST-11: what concerns an event in progress is framed thick and red, anything else grey. */
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
