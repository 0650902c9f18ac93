import { useQueryClient } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { longestPackHours, packHours } from '../kinds.ts'
import { addressesQuery, packsQuery } from './arrival-pack.data.ts'
import { notSaved } from './not-saved.ts'

const hoursOf = Array.from({ length: longestPackHours }, (_, nth) => ({
  value: String(nth + 1),
  label: nth === 0 ? '1 hour' : `${nth + 1} hours`,
}))

/** Pressed again after a lost answer it makes no second pack. */
export function MakePack() {
  const client = useQueryClient()
  const [hours, setHours] = useState(String(packHours))
  const [plans, setPlans] = useState(true)
  const send = useKeyedSend(JSON.stringify, (body: { hours: number; plans: 'yes' | 'no' }, extras) =>
    call('POST /api/event/packs', { body }, extras),
  )
  const make = async () => {
    try {
      const { uid, url } = await send.mutateAsync({ hours: Number(hours), plans: plans ? 'yes' : 'no' })
      client.setQueryData(addressesQuery.queryKey, (known) => ({ ...known, [uid]: url }))
      await client.invalidateQueries({ queryKey: packsQuery.queryKey })
    } catch (error) {
      toast(notSaved(error), { variant: 'danger' })
    }
  }
  return (
    <section aria-label="New arrival pack" className="card grid grid-cols-1 gap-3">
      <SelectField label="Available for" value={hours} options={hoursOf} onChange={setHours} />
      <Checkbox label="Include the help people need" checked={plans} onChange={setPlans} />
      <Button icon={FileText} busy={send.isPending} block onClick={() => void make()}>
        Arrival pack
      </Button>
    </section>
  )
}
