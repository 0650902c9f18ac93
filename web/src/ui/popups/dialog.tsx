import { X } from 'lucide-react'
import { type PointerEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../icon-button.tsx'
import { ToastRegion } from '../toast.tsx'

export interface DialogProps {
  open: boolean
  /** Asked to close by Esc, the backdrop or the Close button; the parent decides. */
  onClose: () => void
  title: ReactNode
  children: ReactNode
  kind?: 'centre' | 'side' | 'bottom' | 'alert'
  /** An alert dialog: no Close button, the backdrop does nothing. */
  alert?: boolean
  /** Esc does nothing either: only the buttons inside lead out. */
  blocking?: boolean
  /** Draws its own heading; the title still names the dialog for screen readers. */
  hideHeading?: boolean
}

const frames = {
  centre: 'popup-centre rounded-2xl border border-hairline bg-surface',
  side: 'popup-side border-r border-hairline bg-canvas',
  bottom: 'popup-bottom rounded-t-2xl border border-b-0 border-hairline bg-surface',
  alert: 'popup-alert rounded-2xl border border-hairline bg-surface',
}
const bodies = {
  centre: 'grid grid-cols-1 gap-4 p-5',
  side: 'flex h-full flex-col gap-3 p-3 pt-[max(0.75rem,env(safe-area-inset-top))] pb-[max(0.75rem,env(safe-area-inset-bottom))]',
  bottom: 'grid grid-cols-1 gap-3 p-4 pb-[max(1rem,env(safe-area-inset-bottom))]',
  alert: 'flex min-h-0 flex-col',
}

/** The buttons of a centred dialog: at hand however long its text is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className="fade-above sticky bottom-0 -mx-5 -mt-1.5 -mb-5 bg-surface px-5 pt-1.5 pb-5">{children}</div>
}

/**
 * A modal on the native <dialog>: the browser keeps the focus inside, makes the page inert and gives the focus back.
 * The first `[data-autofocus]` inside gets the focus. Safe to unmount while open.
 */
export function Dialog({ open, onClose, title, children, kind = 'centre', alert, blocking, hideHeading }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  const titleId = useId()
  const bodyId = useId()

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    dialog.showModal()
    // React's autoFocus runs before showModal(), which then moves the focus to the first button.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog.close()
  }, [open])

  const handleCancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (!blocking) onClose()
  }

  // The browser may close it without asking (second Esc, Android's back gesture). The event also arrives late for a
  // close of our own, when the dialog may be open again.
  const handleClosed = () => {
    const dialog = ref.current
    if (!open || !dialog || dialog.open) return
    if (blocking) dialog.showModal()
    else onClose()
  }

  const isBackdrop = (event: SyntheticEvent) => event.target === event.currentTarget
  const handlePointerDown = (event: PointerEvent) => {
    pressedOutside.current = isBackdrop(event)
  }
  const handleClick = (event: SyntheticEvent) => {
    // A press that began inside (marking text) and ended on the backdrop does not count.
    if (!alert && pressedOutside.current && isBackdrop(event)) onClose()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way, see onCancel
    <dialog
      ref={ref}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={alert ? bodyId : undefined}
      className={`popup p-0 text-ink ${frames[kind]}`}
      onCancel={handleCancel}
      onClose={handleClosed}
      onPointerDown={handlePointerDown}
      onClick={handleClick}
    >
      {open && (
        <div className={bodies[kind]}>
          <div className={hideHeading ? 'sr-only' : 'flex items-center justify-between gap-3'}>
            <h2 id={titleId} className="text-xl font-bold">
              {title}
            </h2>
            {!alert && !hideHeading && <IconButton icon={X} label="Close" plain onClick={onClose} className="-m-1" />}
          </div>
          <div id={bodyId} className="contents">
            {children}
          </div>
        </div>
      )}
      {open && <ToastRegion />}
    </dialog>
  )
}
