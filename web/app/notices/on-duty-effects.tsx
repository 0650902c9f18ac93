import { useEffect } from 'react'
import { useStore } from '../../lib/store.ts'
import { startAlarms } from '../../live/alarm/alarms.ts'
import { awakeStore, canStayAwake, keepAwake } from '../../live/wake-lock.ts'
import { useAuth } from '../../session/stored-auth.ts'

/** While on duty: alarms, and a screen that stays awake. Draws nothing. */
export function Vigil() {
  const auth = useAuth()
  const participation = auth?.on_duty ? auth.WardenSignInUID : null
  const isAwake = useStore(awakeStore) && canStayAwake && participation !== null

  useEffect(() => (participation ? startAlarms(participation) : undefined), [participation])
  useEffect(() => (isAwake ? keepAwake() : undefined), [isAwake])
  return null
}
