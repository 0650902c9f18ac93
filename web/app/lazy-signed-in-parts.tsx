import { type ComponentType, useEffect, useState } from 'react'
import { browser } from '../lib/browser.ts'
import { useAuth } from '../session/stored-auth.ts'

const loadParts = () => import('./signed-in-parts.tsx').then((file) => file.SignedInParts)
/** Milliseconds. Long enough that a page without the chunk can be used. */
const retryEvery = 10_000

/**
 * Renders `SignedInParts` once someone is signed in and its chunk has loaded. Chromium never fetches a failed chunk
 * again, so the page reloads as soon as the server is reachable.
 */
export function LazySignedInParts({ load = loadParts }: { load?: () => Promise<ComponentType> }) {
  const isWanted = useAuth() !== null
  const [SignedInParts, setDuty] = useState<ComponentType>()

  useEffect(() => {
    if (!isWanted || SignedInParts) return
    let left = false
    const arrived = (component: ComponentType) => {
      if (!left) setDuty(() => component)
    }
    let timer: ReturnType<typeof setInterval>
    load().then(arrived, () => {
      if (!left) timer = setInterval(browser.reloadWhenReachable, retryEvery)
    })
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [isWanted, SignedInParts, load])

  return isWanted && SignedInParts ? <SignedInParts /> : null
}
