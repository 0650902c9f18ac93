import { useEffect } from 'react'

const isWriting = (target: EventTarget | null) => target instanceof Element && target.matches('input, textarea')

/** Undo of a toast answers Ctrl+Z, and is next in focus order after what was just pressed; Tab leads on from there. */
export function useUndoKeys() {
  useEffect(() => {
    let offered: Element | null = null
    let origin: Element | null = null
    const press = (event: KeyboardEvent) => {
      const button = [...document.querySelectorAll<HTMLElement>('[data-toast-action="Undo"]')].at(-1)
      if (!button) return
      if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !isWriting(event.target)) {
        event.preventDefault()
        button.click()
      }
      if (event.key !== 'Tab') return
      if (document.activeElement === button) {
        // back to where the focus was: from there the browser goes on, or stays
        if (origin instanceof HTMLElement) origin.focus()
        if (event.shiftKey) event.preventDefault()
      } else if (!event.shiftKey && offered !== button) {
        event.preventDefault()
        offered = button
        origin = document.activeElement
        button.focus()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
