import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useCloseAfterChoice, useCloseOutside } from '#web/lib/close-after-choice.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'

interface Choice<T extends string> {
  id: T
  name: string
}
interface FilterDropdownProps<T extends string> {
  label: string
  choices: readonly Choice<T>[]
  chosen: readonly T[]
  isOpen: boolean
  onOpen: (open: boolean) => void
  onToggle: (id: T) => void
}

/** Boxes to tick, which lie over the list and move nothing. They close by themselves a second after the last tick. */
export function FilterDropdown<T extends string>(props: FilterDropdownProps<T>) {
  const { label, choices, chosen, isOpen, onOpen, onToggle } = props
  const panelId = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        className={`btn w-full justify-between gap-1.5 px-3 text-left ${chosen.length > 0 ? 'border-transparent bg-link text-canvas forced-colors:bg-[Highlight]' : 'border-line text-link'}`}
        onClick={() => onOpen(!isOpen)}
      >
        <span className="min-w-0">
          {label}
          {chosen.length > 0 && `: ${chosen.length}`}
        </span>
        <ChevronDown aria-hidden className={`shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      {isOpen && (
        <Panel id={panelId} label={label} onClose={() => onOpen(false)}>
          {(noteChoice) =>
            choices.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={chosen.includes(id)}
                onChange={() => {
                  onToggle(id)
                  noteChoice()
                }}
              />
            ))
          }
        </Panel>
      )}
    </div>
  )
}

interface PanelProps {
  id: string
  label: string
  onClose: () => void
  children: (noteChoice: () => void) => ReactNode
}

function Panel({ id, label, onClose, children }: PanelProps) {
  const { panel, noteChoice, panelProps } = useCloseAfterChoice(onClose)
  useCloseOutside(panel, onClose)
  return (
    <fieldset
      ref={panel as never}
      id={id}
      aria-label={label}
      className="card absolute inset-x-0 top-full z-20 mt-1 max-h-[min(50dvh,28rem)] overflow-y-auto overscroll-contain border-line"
      {...panelProps}
    >
      {children(noteChoice)}
    </fieldset>
  )
}
