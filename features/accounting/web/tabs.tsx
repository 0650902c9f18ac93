import {
  Accessibility,
  CircleAlert,
  CircleQuestionMark,
  GitCompareArrows,
  type LucideIcon,
  MessageSquareWarning,
} from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { useSayTotal } from '#web/live/response.ts'
import { type Chosen, type Tab, tabWords } from './selected-place.ts'

const icons: Record<Tab, LucideIcon> = {
  unknown: CircleQuestionMark,
  danger: CircleAlert,
  peeps: Accessibility,
  contradictions: GitCompareArrows,
  reports: MessageSquareWarning,
}

/** The tabs of the page. One stop for the keyboard: the arrows choose. */
export function Tabs({ chosen: { tabs, tab, change } }: { chosen: Chosen }) {
  const list = useRef<HTMLDivElement>(null)
  const say = useSayTotal()
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = step ? tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] : undefined
    if (!next) return
    event.preventDefault()
    change({ tab: next })
    list.current?.querySelector<HTMLElement>(`#accounting-${next}`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Accounting"
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.4rem),1fr))] gap-1 [&>:last-child:nth-child(odd)]:col-span-full rounded-xl border-[1.5px] border-line p-1 wide:flex wide:flex-wrap"
      onKeyDown={move}
    >
      {tabs.map((one) => {
        const Icon = icons[one]
        const isShown = one === tab
        return (
          <button
            key={one}
            type="button"
            role="tab"
            id={`accounting-${one}`}
            aria-selected={isShown}
            aria-controls="accounting-panel"
            tabIndex={isShown ? 0 : -1}
            className={`btn min-h-12 rounded-lg px-2 wide:flex-auto wide:px-1 max-[359px]:px-1 ${isShown ? 'bg-link text-canvas forced-colors:bg-[Highlight]' : 'text-muted'}`}
            onClick={() => change({ tab: one })}
          >
            <Icon aria-hidden size={20} className="shrink-0 max-[359px]:hidden" />
            {say(tabWords[one])}
          </button>
        )
      })}
    </div>
  )
}
