import { useEffect } from 'react'
import { useStore } from '../../lib/store.ts'
import { startAlarms } from '../../live/alarm/alarms.ts'
import { awakeStore, canStayAwake, keepAwake } from '../../live/wake-lock.ts'
import { useAuth } from '../../session/stored-auth.ts'

/** While on duty: alarms (UX-10), and a screen that stays awake (UX-12). Draws nothing. */
export function Vigil() {
  const auth = useAuth()
  const participation = auth?.on_duty ? auth.WardenSignInUID : null
  const isAwake = useStore(awakeStore) && canStayAwake && participation !== null

  useEffect(() => (participation ? startAlarms(participation) : undefined), [participation])
  useEffect(() => (isAwake ? keepAwake() : undefined), [isAwake])
  return null
}
