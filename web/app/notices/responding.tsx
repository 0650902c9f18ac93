import { type ComponentType, useEffect, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { responseStore } from '../../live/response.ts'
import { type Brief, useBrief } from '../../reads/brief.data.ts'
import { useAuth } from '../../session/stored-auth.ts'

type Actions = NonNullable<Brief['actions']>
const load = () => import('./response.tsx')

/** What people do in other buildings than those that they leave. Its words and the bar load when it is needed. */
function useActions(): Brief | undefined {
  const [last, setLast] = useState<Brief>()
  const isOnDuty = useAuth()?.on_duty === true
  const brief = useBrief()?.brief
  if (brief && brief !== last) setLast(brief)
  if (!isOnDuty && last) setLast(undefined)
  return isOnDuty ? (brief ?? last) : undefined
}

/** Sets how the screens speak, and whether this phone is silent and dark. Below the header of every page of the event. */
export function Responding() {
  const brief = useActions()
  const actions = brief?.actions
  const leaving = brief?.leaving === true
  const [Bar, setBar] = useState<ComponentType<{ actions: Actions }>>()
  const isOn = useStore(responseStore) !== null

  useEffect(() => {
    let isOver = false
    if (actions || isOn)
      void load().then(({ ActionBar, respond }) => {
        if (isOver) return
        respond(actions, leaving)
        setBar(() => ActionBar)
      })
    return () => {
      isOver = true
    }
  }, [actions, leaving, isOn])

  return actions && Bar ? <Bar actions={actions} /> : null
}
