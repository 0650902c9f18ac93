import { type RefObject, useLayoutEffect, useState } from 'react'

/** Width and height of an element, as it is now. Null before the first frame. */
export function useRoom(of: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const element = of.current
    if (!element) return
    const note = () => {
      const { clientWidth: width, clientHeight: height } = element
      setRoom((was) => (was?.width === width && was.height === height ? was : { width, height }))
    }
    note()
    const observer = new ResizeObserver(note)
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return room
}
