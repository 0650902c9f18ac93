import { type ComponentType, useEffect, useState } from 'react'
import { browser } from '../lib/browser.ts'
import { useAuth } from '../session/stored-auth.ts'

const loadDuty = () => import('./duty.tsx').then((file) => file.Duty)
/** Long enough that a page that never gets it can be used. */
const again = 10_000

/**
 * Draws `Duty` once somebody is signed in and its chunk is here: menu and live updates hang on it. Chromium never asks again
 * for one that could not be fetched, so the page is loaded anew as soon as the server can be reached.
 */
export function Later({ load = loadDuty }: { load?: () => Promise<ComponentType> }) {
  const isWanted = useAuth() !== null
  const [Duty, setDuty] = useState<ComponentType>()

  useEffect(() => {
    if (!isWanted || Duty) return
    let left = false
    const arrived = (component: ComponentType) => {
      if (!left) setDuty(() => component)
    }
    let timer: ReturnType<typeof setInterval>
    load().then(arrived, () => {
      if (!left) timer = setInterval(browser.reloadWhenReachable, again)
    })
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [isWanted, Duty, load])

  return isWanted && Duty ? <Duty /> : null
}
