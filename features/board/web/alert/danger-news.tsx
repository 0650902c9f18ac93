import { useEffect, useRef, useState } from 'react'
import { isQuietBoard } from '../parts/say.ts'
import type { Picture } from '../reading/board-snapshot.ts'
import { openSound, soundBoard } from './board-sound.ts'
import { DangerWatch } from './danger-watch.ts'

/** Says and sounds who is newly in danger or calls for help. Draws nothing that is seen. */
export function DangerNews({ picture }: { picture: Picture }) {
  const watch = useRef<DangerWatch>(undefined)
  const [said, setSaid] = useState({ nth: 0, words: '' })
  useEffect(() => {
    watch.current ??= new DangerWatch()
    const news = watch.current.read(picture, Date.now())
    if (!news) return
    setSaid(({ nth }) => ({ nth: nth + 1, words: news }))
    if (!isQuietBoard(picture)) void soundBoard()
  }, [picture])
  useEffect(() => {
    const life = new AbortController()
    if (navigator.userActivation?.hasBeenActive) void openSound()
    for (const gesture of ['pointerup', 'keydown'])
      window.addEventListener(gesture, () => void openSound(), { signal: life.signal })
    return () => life.abort()
  }, [])
  return (
    <p role="status" aria-live="polite" className="sr-only" data-board-news>
      {/* the same words a second time are said again */}
      <span key={said.nth}>{said.words}</span>
    </p>
  )
}
