import { listLimits } from '@evac/contract/limits.ts'
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react'

/**
 * SAFE-23, AMB-124: a dropdown closes one second after the last choice. While the keyboard is at work inside it stays open;
 * Esc closes it at once and leads back to its button; leaving it after a choice closes it, too.
 */
export function useCloseAfterChoice(onClose: () => void) {
  const panel = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const noteChoice = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!panel.current?.querySelector(':focus-visible')) close.current()
    }, listLimits.dropdownClose)
  }, [])
  const handleBlur = (event: FocusEvent) => {
    const isInside = panel.current?.contains(event.relatedTarget)
    if (timer.current !== undefined && event.relatedTarget && !isInside) close.current()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The focus would be lost with the panel.
    document.querySelector<HTMLElement>(`[aria-controls="${panel.current?.id}"]`)?.focus()
    close.current()
  }
  return { panel, noteChoice, handleBlur, handleKeyDown }
}
