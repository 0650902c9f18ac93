import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import * as limits from '#kernel/limits.ts'
import { createStore, useStore } from '../lib/store.ts'
import { IconButton } from './icon-button.tsx'

type Variant = 'info' | 'success' | 'danger'
interface Action {
  label: string
  onAct: () => void
}
interface ToastOptions {
  variant?: Variant
  /** Milliseconds. Used from 1000 on, otherwise 7000. */
  delay?: number
  /** One action related to the toast, such as Undo. */
  action?: Action
  /** A newer toast of the same slot replaces the older one, so that toasts do not cover what the thumb needs. */
  slot?: string
  /** Stays until it is dismissed or withdrawn. */
  lasts?: boolean
  /** On a phone below the bar instead of where the thumb is: it must not cover a button that is needed now. */
  isHigh?: boolean
  /** Dismissed by hand. */
  onDismiss?: () => void
}
interface Shown {
  id: number
  text: string
  variant: Variant
  action?: Action | undefined
  slot?: string | undefined
  lasts: boolean
  isHigh?: boolean | undefined
  onDismiss?: (() => void) | undefined
}

const mostAtOnce = 3
const toasts = createStore<readonly Shown[]>([])
let lastId = 0

const dismiss = (id: number) => toasts.set(toasts.get().filter((shown) => shown.id !== id))

/** A short notice that disappears by itself and is read out. Danger interrupts the screen reader, the others wait. */
export function toast(text: string, { variant = 'info', delay = 0, lasts = false, ...rest }: ToastOptions = {}) {
  const id = ++lastId
  const others = toasts.get().filter(({ slot }) => !slot || slot !== rest.slot)
  const all = [...others, { id, text, variant, lasts, ...rest }]
  const passing = all.filter((shown) => !shown.lasts).slice(-mostAtOnce)
  toasts.set(all.filter((shown) => shown.lasts || passing.includes(shown)))
  if (lasts) return
  setTimeout(() => dismiss(id), delay >= limits.shortestToastDelay ? delay : limits.toastDelay)
}

export const withdrawToast = (slot: string) => toasts.set(toasts.get().filter((shown) => shown.slot !== slot))

/**
 * An open modal covers the page and silences its live regions, so each modal has its own region. The newest region
 * shows the toasts.
 */
const regions = createStore<readonly string[]>([])

function useIsTopRegion(region: RefObject<HTMLElement | null>): boolean {
  const id = useId()
  useLayoutEffect(() => {
    const others = regions.get()
    regions.set(region.current?.closest('dialog') ? [...others, id] : [id, ...others])
    return () => regions.set(regions.get().filter((other) => other !== id))
  }, [id, region])
  return useStore(regions).at(-1) === id
}

/**
 * In the page from the start, because a live region that is added together with its text is not read out. `isHigh`: at the
 * top, because what the thumb needs now is at the bottom.
 */
export function ToastRegion({ isHigh = false }) {
  const ref = useRef<HTMLDivElement>(null)
  const shown = useStore(toasts)
  const mine = useIsTopRegion(ref) ? shown : []

  const draw = (one: Shown) => card(one, isHigh ? '' : placeOf(one))

  // A popover lies above a modal's backdrop if it opens after the modal, so this is not a layout effect.
  useEffect(() => ref.current?.showPopover?.(), [])

  return (
    <div
      ref={ref}
      popover="manual"
      className={`pointer-events-none fixed inset-x-0 m-0 mx-auto grid max-h-dvh w-full max-w-[480px] gap-2 overflow-visible border-0 print:hidden bg-transparent p-3 ${isHigh ? atTop : atBottom}`}
    >
      <div role="alert" className="grid gap-2">
        {mine.filter((one) => one.variant === 'danger').map(draw)}
      </div>
      <div role="status" className="grid gap-2">
        {mine.filter((one) => one.variant !== 'danger').map(draw)}
      </div>
    </div>
  )
}

const atTop = 'top-0 bottom-auto pt-[max(0.75rem,env(safe-area-inset-top))]'
const atBottom = 'top-auto bottom-0 pb-[max(0.75rem,env(safe-area-inset-bottom))]'

const looks = {
  info: { icon: Info, className: 'bg-ink text-canvas' },
  success: { icon: CircleCheck, className: 'bg-green text-on-green' },
  danger: { icon: CircleAlert, className: 'bg-danger text-on-danger' },
}

/** Toasts lie where the thumb is. One that lasts would be in its way there. */
const belowBar = 'fixed inset-x-3 top-[calc(var(--bar,0px)+0.5rem)] mx-auto max-w-[456px]'

const belowBarOfPhone =
  'max-wide:fixed max-wide:inset-x-3 max-wide:top-[calc(var(--bar,0px)+0.5rem)] max-wide:mx-auto max-wide:max-w-[456px]'

const placeOf = ({ lasts, isHigh }: Shown) => (lasts ? belowBar : isHigh ? belowBarOfPhone : '')

function card({ id, text, variant, action, onDismiss }: Shown, place: string) {
  const { icon: Icon, className } = looks[variant]
  const act = () => {
    dismiss(id)
    action?.onAct()
  }
  const close = () => {
    dismiss(id)
    onDismiss?.()
  }
  return (
    <div
      key={id}
      data-variant={variant}
      className={`pointer-events-auto flex flex-wrap items-center gap-x-3 rounded-xl border border-transparent py-1 pr-1 pl-4 font-semibold shadow-lg ${className} ${place}`}
    >
      <Icon aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-[1_1_min(100%-40px,7rem)] py-2">{text}</span>
      <span className="ml-auto flex shrink-0">
        {action && (
          <button type="button" data-toast-action={action.label} className="arming btn border-current" onClick={act}>
            {action.label}
          </button>
        )}
        <IconButton icon={X} label="Dismiss" plain onClick={close} />
      </span>
    </div>
  )
}
