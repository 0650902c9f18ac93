import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useAuth } from '../lib/stored-auth.ts'
import type { ScreenTable } from './screen-table.tsx'

type DutyComponent = ComponentType<{ screens: ScreenTable }>

const loadDuty = () => import('./duty.tsx').then((file) => file.Duty)

/** Draws `Duty` once somebody is signed in and its chunk is here. Without signal it is asked for again on the next page. */
export function Later({ screens }: { screens: ScreenTable }) {
  const { pathname } = useLocation()
  const isWanted = useAuth() !== null
  const [Duty, setDuty] = useState<DutyComponent>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is a new try
  useEffect(() => {
    if (!isWanted || Duty) return
    let left = false
    const arrived = (component: DutyComponent) => {
      if (!left) setDuty(() => component)
    }
    loadDuty().then(arrived, () => undefined)
    return () => {
      left = true
    }
  }, [isWanted, Duty, pathname])

  return isWanted && Duty ? <Duty screens={screens} /> : null
}
