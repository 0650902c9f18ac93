import {
  Accessibility,
  Building2,
  type LucideIcon,
  MessageSquare,
  MessageSquareDot,
  MessageSquareReply,
  UserPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { FilterSet } from '../../calls/safety.ts'
import { nextMessageFilter } from './filters.ts'

interface FilterMenuProps {
  filters: FilterSet
  onChange: (change: Partial<FilterSet>) => void
  areasOpen: boolean
  onAreas: () => void
  areasId: string
}

const messageIcons = { 'show all': MessageSquare, unread: MessageSquareDot, 'no reply': MessageSquareReply }

/** Who is listed; each button says by its look and to screen readers whether it narrows the list. */
export function FilterMenu({ filters, onChange, areasOpen, onAreas, areasId }: FilterMenuProps) {
  const { area, assist, visitor, message } = filters
  return (
    <fieldset aria-label="Filters" className="grid grid-cols-2 gap-2">
      <FilterButton icon={Building2} on={area !== 'my area'} expanded={areasOpen} controls={areasId} onPress={onAreas}>
        Areas
      </FilterButton>
      <FilterButton icon={Accessibility} on={assist} pressed={assist} onPress={() => onChange({ assist: !assist })}>
        Assist
      </FilterButton>
      <FilterButton icon={UserPlus} on={visitor} pressed={visitor} onPress={() => onChange({ visitor: !visitor })}>
        Visitor
      </FilterButton>
      <FilterButton
        icon={messageIcons[message]}
        on={message !== 'show all'}
        onPress={() => onChange({ message: nextMessageFilter(message) })}
      >
        <span className="sr-only">Messages: </span>
        {message}
      </FilterButton>
    </fieldset>
  )
}

interface FilterButtonProps {
  icon: LucideIcon
  /** It narrows the list now. */
  on: boolean
  pressed?: boolean
  expanded?: boolean
  controls?: string
  onPress: () => void
  children: ReactNode
}

function FilterButton({ icon: Icon, on, pressed, expanded, controls, onPress, children }: FilterButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-controls={expanded ? controls : undefined}
      className={`btn gap-1.5 px-2 ${on ? 'border-transparent bg-link text-canvas forced-colors:bg-[Highlight]' : 'border-line text-link'}`}
      onClick={onPress}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      <span>{children}</span>
    </button>
  )
}
