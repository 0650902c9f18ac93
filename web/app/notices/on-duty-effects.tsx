import { useEffect } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useStore } from '../../lib/store.ts'
import { startAlarms } from '../../live/alarm/alarms.ts'
import { responseStore, useIsHidden } from '../../live/response.ts'
import { awakeStore, canStayAwake, keepAwake } from '../../live/wake-lock.ts'
import { isRealtimePage } from '../../pages/find-page.ts'
import { useBrief } from '../../reads/brief.data.ts'
import { useAuth } from '../../session/stored-auth.ts'

/** False until this page has read whether people hide here: a screen that lights up for a second may be seen. */
function useIsKnown(): boolean {
  const isRead = isRealtimePage(usePathname())
  const brief = useBrief()?.brief
  const isSaid = useStore(responseStore) !== null
  return !isRead || (brief !== undefined && (isSaid || !brief.actions))
}

/** While on duty: alarms, and a screen that stays awake, unless people hide here. Draws nothing. */
export function Vigil() {
  const auth = useAuth()
  const participation = auth?.on_duty ? auth.WardenSignInUID : null
  const isHidden = useIsHidden()
  const isKnown = useIsKnown()
  const isAwake = useStore(awakeStore) && canStayAwake && participation !== null && isKnown && !isHidden

  useEffect(() => (participation ? startAlarms(participation) : undefined), [participation])
  useEffect(() => (isAwake ? keepAwake() : undefined), [isAwake])
  return null
}
