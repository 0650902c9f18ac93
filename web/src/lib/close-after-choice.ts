import { listLimits } from '@evac/contract/limits.ts'
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react'

/** A click comes this soon after the finger has been lifted, milliseconds, or not at all. */
const clickWithin = 400

/**
 * SAFE-23, AMB-124: a dropdown closes one second after the last choice. While the keyboard is at work inside it stays open;
 * Esc closes it at once and leads back to its button; leaving it after a choice closes it, too. Never in the middle of a
 * tap: what lies below moves up, and the tap would miss it.
 */
export function useCloseAfterChoice(onClose: () => void) {
  const panel = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const afterTap = useAfterTap()

  const noteChoice = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!panel.current?.querySelector(':focus-visible')) afterTap(() => close.current())
    }, listLimits.dropdownClose)
  }, [afterTap])
  const handleBlur = (event: FocusEvent) => {
    const isInside = panel.current?.contains(event.relatedTarget)
    if (timer.current !== undefined && event.relatedTarget && !isInside) afterTap(() => close.current())
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The focus would be lost with the panel.
    document.querySelector<HTMLElement>(`[aria-controls="${panel.current?.id}"]`)?.focus()
    close.current()
  }
  return { panel, noteChoice, handleBlur, handleKeyDown }
}

/** Calls at once, or where a tap is under way once its click has done its work. Not at all after unmounting. */
function useAfterTap() {
  const isTapping = useRef(false)
  const due = useRef<() => void>(undefined)

  useEffect(() => {
    const life = new AbortController()
    const options = { capture: true, signal: life.signal }
    let timer: ReturnType<typeof setTimeout>
    const end = () => {
      isTapping.current = false
      due.current?.()
      due.current = undefined
    }
    const endIn = (delay: number) => () => {
      clearTimeout(timer)
      timer = setTimeout(end, delay)
    }
    const begin = () => {
      clearTimeout(timer)
      isTapping.current = true
    }
    window.addEventListener('pointerdown', begin, options)
    window.addEventListener('pointerup', endIn(clickWithin), options)
    window.addEventListener('pointercancel', endIn(0), options)
    window.addEventListener('click', endIn(0), options)
    return () => {
      life.abort()
      clearTimeout(timer)
    }
  }, [])

  return useCallback((act: () => void) => {
    if (isTapping.current) due.current = act
    else act()
  }, [])
}
