import { X } from 'lucide-react'
import { type PointerEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../icon-button.tsx'
import { ToastRegion } from '../toast.tsx'

export interface DialogProps {
  open: boolean
  /** Called on Esc, the backdrop or the Close button. The parent decides whether to close. */
  onClose: () => void
  title: ReactNode
  children: ReactNode
  kind?: 'centre' | 'side' | 'bottom' | 'alert'
  /** An alert dialog: without Close button, and the backdrop does nothing. */
  alert?: boolean
  /** Esc does nothing either: only the buttons inside close it. */
  blocking?: boolean
  /** Hides the heading for dialogs that draw their own. The title still names the dialog for screen readers. */
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

/** The buttons of a centred dialog, always visible however long its text is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className="fade-above sticky bottom-0 -mx-5 -mt-1.5 -mb-5 bg-surface px-5 pt-1.5 pb-5">{children}</div>
}

/**
 * A modal based on the native <dialog>: the browser traps the focus, makes the page inert and returns the focus. The
 * first `[data-autofocus]` inside gets the focus. Safe to unmount while open.
 */
export function Dialog({ open, onClose, title, children, kind = 'centre', alert, blocking, hideHeading }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  const titleId = useId()
  const bodyId = useId()

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    // React writes no attribute for its autoFocus. With one the focus moves once, without it to the first button before.
    dialog.querySelector('[data-autofocus]')?.setAttribute('autofocus', '')
    const page = document.documentElement
    dialog.showModal()
    page.toggleAttribute('data-modal', true)
    return () => {
      dialog.close()
      page.toggleAttribute('data-modal', document.querySelector('dialog:modal') !== null)
    }
  }, [open])

  const handleCancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (!blocking) onClose()
  }

  // The browser may close the dialog without asking (second Esc, Android's back gesture). After our own close, the
  // event arrives late, when the dialog may be open again.
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
    // Ignores a press that started inside (selecting text) and ended on the backdrop.
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
      {open && <ToastRegion isHigh={kind === 'bottom'} />}
    </dialog>
  )
}
