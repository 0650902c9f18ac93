import { useEffect, useState } from 'react'

/** True while a finger or a mouse button is down: what opens under it would be pressed by mistake. */
export function useIsPressed(): boolean {
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const options = { capture: true, passive: true, signal: controller.signal }
    const down = () => setPressed(true)
    const up = () => setPressed(false)
    document.addEventListener('pointerdown', down, options)
    for (const kind of ['pointerup', 'pointercancel'] as const) document.addEventListener(kind, up, options)
    window.addEventListener('blur', up, options)
    return () => controller.abort()
  }, [])
  return isPressed
}
