import { useEffect } from 'react'
import { useStore } from '../../lib/store.ts'
import { startAlarms } from '../../live/alarm/alarms.ts'
import { useIsHidden } from '../../live/response.ts'
import { awakeStore, canStayAwake, keepAwake } from '../../live/wake-lock.ts'
import { useAuth } from '../../session/stored-auth.ts'

/** While on duty: alarms, and a screen that stays awake, unless people hide here. Draws nothing. */
export function Vigil() {
  const auth = useAuth()
  const participation = auth?.on_duty ? auth.WardenSignInUID : null
  const isHidden = useIsHidden()
  const isAwake = useStore(awakeStore) && canStayAwake && participation !== null && !isHidden

  useEffect(() => (participation ? startAlarms(participation) : undefined), [participation])
  useEffect(() => (isAwake ? keepAwake() : undefined), [isAwake])
  return null
}
