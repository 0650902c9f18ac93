import { useEffect } from 'react'

/** The part of the browser's Navigation API that is used here. */
interface Entries extends EventTarget {
  currentEntry: { index: number } | null
}
interface Going extends Event {
  navigationType: string
  destination: { index: number }
}

/**
 * Back closes the sheet, popup or menu that is open, and leads nowhere. Android closes a modal by itself. Where the
 * browser lacks the API, or the page before is another document, Back leaves the page.
 */
export function useCloseByBack() {
  useEffect(() => {
    const entries = (window as { navigation?: Entries }).navigation
    if (!entries) return
    const stay = (event: Event) => {
      const { navigationType, destination, cancelable } = event as Going
      const isBack = navigationType === 'traverse' && destination.index < (entries.currentEntry?.index ?? 0)
      const open = [...document.querySelectorAll('dialog:modal, [data-closes-by-back]')].at(-1)
      if (!isBack || !cancelable || !open) return
      event.preventDefault()
      // as Esc does: a modal that only its buttons close stays
      open.dispatchEvent(new Event('cancel', { cancelable: true }))
    }
    entries.addEventListener('navigate', stay)
    return () => entries.removeEventListener('navigate', stay)
  }, [])
}
