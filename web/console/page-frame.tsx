import type { ReactNode } from 'react'

interface PageFrameProps {
  title: string
  /** One line what the page is for. */
  purpose: string
  /** The main button: right of the title, or fixed at the foot of a phone. */
  button?: ReactNode
  /** A page below an entry: the bar of a phone has the entry's title, so that this one is shown, too. */
  isBelow?: true
  children: ReactNode
}

/** Title, purpose and main button of a page. */
export function PageFrame({ title, purpose, button, isBelow, children }: PageFrameProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="console-title" data-below={isBelow}>
        <div className="min-w-0">
          <h1 tabIndex={-1} data-page-title className="text-2xl leading-tight font-bold">
            {title}
          </h1>
          <p className="mt-1 text-muted">{purpose}</p>
        </div>
        {button && <div className="console-foot">{button}</div>}
      </div>
      {children}
    </div>
  )
}

/** Draws a page around its content, with its main button. */
export type Frame = (button: ReactNode, content: ReactNode) => ReactNode
