import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

/** The specification's colours, and two quiet ones for secondary actions. */
export type ButtonVariant = 'green' | 'red' | 'yellow' | 'orange' | 'grey' | 'blue' | 'quiet' | 'outline'

const looks: Record<ButtonVariant, string> = {
  green: 'bg-green text-on-green',
  red: 'bg-red text-on-red',
  // Yellow on white has a contrast of 1.6:1, so the border is dark.
  yellow: 'bg-yellow text-on-yellow border-on-yellow/60',
  orange: 'bg-orange text-on-orange',
  grey: 'bg-grey text-on-grey',
  blue: 'bg-blue text-on-blue',
  quiet: 'bg-raised text-ink',
  outline: 'border-line text-link',
}

/** For links that look like buttons. */
export const buttonClass = (variant: ButtonVariant, block = false) => `btn ${looks[variant]} ${block ? 'w-full' : ''}`

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  icon?: LucideIcon
  /** Shows a spinner and ignores presses, but keeps the focus, which a disabled button would lose. */
  busy?: boolean
  block?: boolean
  children: ReactNode
}

export function Button({
  variant = 'blue',
  icon: Icon,
  busy = false,
  block = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => (busy ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      data-variant={variant}
      className={`${buttonClass(variant, block)} ${className}`}
      onClick={press}
      {...rest}
    >
      {busy ? <Spinner /> : Icon && <Icon aria-hidden className="shrink-0" />}
      {children}
    </button>
  )
}
