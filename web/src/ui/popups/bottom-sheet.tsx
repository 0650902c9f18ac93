import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface BottomSheetProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** Choices that rise within the thumb's reach. One for a whole list, not one per card. */
export function BottomSheet(props: BottomSheetProps) {
  return <Dialog kind="bottom" {...props} />
}

interface SheetChoiceProps {
  icon: LucideIcon
  children: ReactNode
  onChoose: () => void
  /** Colours of the choice, as in `statusLook`; quiet without. */
  className?: string
  /** The first choice takes the focus, before the Close button. */
  first?: boolean
}

/** One row of 68 px in a sheet. */
export function SheetChoice({ icon: Icon, children, onChoose, className, first }: SheetChoiceProps) {
  return (
    <button
      type="button"
      data-autofocus={first || undefined}
      className={`btn min-h-17 w-full justify-start gap-3 px-5 text-left text-lg ${className ?? 'border-line'}`}
      onClick={onChoose}
    >
      <Icon aria-hidden className="shrink-0" />
      {children}
    </button>
  )
}
