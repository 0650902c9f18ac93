import { X } from 'lucide-react'
import { type ComponentProps, createContext, type KeyboardEvent, useContext, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '#web/ui/icon-button.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'

/** At a desk: the place beside the list. */
export const BesideList = createContext<HTMLElement | null>(null)

type RecordSheetProps = ComponentProps<typeof BottomSheet>

/** A sheet over the list on a phone; at a desk it stands beside the list, which stays in use. */
export function RecordSheet({ open, ...sheet }: RecordSheetProps) {
  const place = useContext(BesideList)
  if (!place) return <BottomSheet open={open} {...sheet} />
  return open ? createPortal(<Beside {...sheet} />, place) : null
}

function Beside({ title, onClose, children }: Omit<RecordSheetProps, 'open'>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person chosen next has a sheet of their own
  useEffect(() => {
    const before = document.activeElement
    const own = heading.current
    own?.focus()
    return () => {
      // someone elsewhere by now stays there
      const isLost = document.activeElement === document.body || own?.parentElement?.contains(document.activeElement)
      if (isLost && before instanceof HTMLElement) before.focus()
    }
  }, [title])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <section aria-labelledby={id} className="card grid grid-cols-1 gap-3" onKeyDown={handleKey}>
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} ref={heading} tabIndex={-1} className="text-xl font-bold wrap-anywhere outline-none">
          {title}
        </h2>
        <IconButton icon={X} label="Close" plain onClick={onClose} className="-m-1" />
      </div>
      {children}
    </section>
  )
}
