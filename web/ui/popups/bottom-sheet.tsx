import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface BottomSheetProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** Choices that slide up within the thumb's reach. One sheet per list, not one per card. */
export function BottomSheet(props: BottomSheetProps) {
  return <Dialog kind="bottom" {...props} />
}

interface SheetChoiceProps {
  icon: LucideIcon
  children: ReactNode
  onChoose: () => void
  /** Colours of the choice, as in `statusLook`. Default: quiet. */
  className?: string
  /** The first choice gets the focus, instead of the Close button. */
  first?: boolean
}

/** A choice in a sheet, 68 px high. */
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
