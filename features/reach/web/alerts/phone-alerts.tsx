import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellOff, BellRing } from 'lucide-react'
import { useState } from 'react'
import { call } from '#web/session/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import * as phone from './phone.ts'

const keyQuery = queryOptions({
  queryKey: ['push', 'key'],
  queryFn: ({ signal }) => call('GET /api/push/key', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
const alertsQuery = queryOptions({
  queryKey: ['push', 'phone'],
  queryFn: async () => {
    const alerts = await phone.readAlerts()
    if (alerts === 'on') await phone.keepAlerts()
    return alerts
  },
})

const words: Partial<Record<phone.Alerts, string>> = {
  denied: 'This phone blocks alerts. Allow them in its settings.',
  'home screen': 'First add Evac to the Home Screen: Share, then Add to Home Screen.',
  'not possible': 'This browser has no alerts.',
}

/** 'Alerts on this phone'. Nothing where the server has none. */
export function PhoneAlerts() {
  const client = useQueryClient()
  const { data: key } = useQuery(keyQuery)
  const { data: alerts } = useQuery(alertsQuery)
  const [isBusy, setBusy] = useState(false)
  if (!key?.key || !alerts) return null
  const publicKey = key.key
  const turn = async (change: () => Promise<phone.Alerts>) => {
    setBusy(true)
    try {
      client.setQueryData(alertsQuery.queryKey, await change())
    } catch {
      toast('Not saved. Try again.', { variant: 'danger' })
    }
    setBusy(false)
  }
  return (
    <section aria-label="Alerts on this phone" className="card grid gap-3">
      <h2 className="text-lg font-bold">Alerts on this phone</h2>
      <p>{words[alerts] ?? 'You are called when your site needs you, also when you are signed out.'}</p>
      {alerts === 'off' && (
        <Button icon={BellRing} block busy={isBusy} onClick={() => void turn(() => phone.turnOn(publicKey))}>
          Turn on alerts
        </Button>
      )}
      {alerts === 'on' && (
        <Button variant="outline" icon={BellOff} block busy={isBusy} onClick={() => void turn(phone.turnOff)}>
          Turn off
        </Button>
      )}
    </section>
  )
}
