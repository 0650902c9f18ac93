import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: LucideIcon
  /** Name of the action, for screen readers and as a tooltip. */
  label: string
  /** Without a frame, for bars. */
  plain?: boolean
  iconClassName?: string
}

/** A square button of 52 px with an icon only. */
export function IconButton({ icon: Icon, label, plain, className = '', iconClassName, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`btn ${plain ? 'p-0' : 'btn-icon'} ${className}`}
      {...rest}
    >
      <Icon aria-hidden className={iconClassName} />
    </button>
  )
}
