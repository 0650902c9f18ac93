import { type ComponentType, useEffect, useState } from 'react'
import { browser } from '../lib/browser.ts'
import { useAuth } from '../session/stored-auth.ts'
import type { ScreenTable } from './screen-table.tsx'

type DutyComponent = ComponentType<{ screens: ScreenTable }>

const loadDuty = () => import('./duty.tsx').then((file) => file.Duty)
/** Long enough that a page that never gets it can be used. */
const again = 10_000

interface LaterProps {
  screens: ScreenTable
  load?: () => Promise<DutyComponent>
}

/**
 * Draws `Duty` once somebody is signed in and its chunk is here: menu and live updates hang on it. Chromium never asks again
 * for one that could not be fetched, so the page is loaded anew as soon as the server can be reached.
 */
export function Later({ screens, load = loadDuty }: LaterProps) {
  const isWanted = useAuth() !== null
  const [Duty, setDuty] = useState<DutyComponent>()

  useEffect(() => {
    if (!isWanted || Duty) return
    let left = false
    const arrived = (component: DutyComponent) => {
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

  return isWanted && Duty ? <Duty screens={screens} /> : null
}
