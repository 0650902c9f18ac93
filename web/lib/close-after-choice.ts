import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { listLimits } from '#kernel/limits.ts'

/** Milliseconds. A click comes this soon after the finger has lifted, or not at all. */
const clickWithin = 400

/**
 * Closes a dropdown one second after the last choice or tap inside. It stays open while the
 * keyboard is used or a finger rests inside, and after `hold` until the next choice. Esc closes it at once and returns the focus to its button; Back closes it, too. Leaving it after a choice closes it too. It never
 * closes in the middle of a tap: the content below would move up, and the tap would miss.
 */
export function useCloseAfterChoice(onClose: () => void) {
  const panel = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const shown = panel.current
    const cancel = () => close.current()
    shown?.addEventListener('cancel', cancel)
    return () => {
      shown?.removeEventListener('cancel', cancel)
      clearTimeout(timer.current)
    }
  }, [])
  const afterTap = useAfterTap()

  const noteChoice = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!panel.current?.querySelector(':focus-visible')) afterTap(() => close.current())
    }, listLimits.dropdownClose)
  }, [afterTap])
  const hold = () => clearTimeout(timer.current)
  const release = () => {
    if (timer.current !== undefined) noteChoice()
  }
  const onBlur = (event: FocusEvent) => {
    const isInside = panel.current?.contains(event.relatedTarget)
    if (timer.current !== undefined && event.relatedTarget && !isInside) afterTap(() => close.current())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The focus would otherwise be lost with the panel.
    document.querySelector<HTMLElement>(`[aria-controls="${panel.current?.id}"]`)?.focus()
    close.current()
  }
  // A finger that begins to scroll ends its pointer, but not its touch.
  const finger = { onPointerDown: hold, onPointerUp: release, onTouchEnd: release, onTouchCancel: release }
  return { panel, noteChoice, hold, panelProps: { onBlur, onKeyDown, ...finger, 'data-closes-by-back': true } }
}

/** Calls at once, or after the click of a tap in progress. Never after unmounting. */
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

/** A click elsewhere closes the panel. Its own button does so by itself. */
export function useCloseOutside(panel: RefObject<HTMLElement | null>, onClose: () => void) {
  useEffect(() => {
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || panel.current?.contains(target)) return
      if (!target.closest(`[aria-controls="${panel.current?.id}"]`)) onClose()
    }
    document.addEventListener('click', note)
    return () => document.removeEventListener('click', note)
  }, [panel, onClose])
}
