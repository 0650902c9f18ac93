import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { hazardLength } from '../kinds.ts'
import { type Hazard, type Hazards, hazardsQuery } from './arrival-pack.data.ts'
import { notSaved } from './not-saved.ts'

/** What everyone on duty sees, notes and ends. */
export function HazardList() {
  const read = useQuery(hazardsQuery)
  return (
    <section aria-labelledby="hazards" className="grid grid-cols-1 gap-3">
      <h2 id="hazards" className="text-lg font-bold">
        Hazards
      </h2>
      <WhenRead read={read} parts={['card', 'card']}>
        {({ hazards, places }) => (
          <>
            <NoteHazard places={places} />
            {hazards.length === 0 && <p className="text-muted">No hazards recorded.</p>}
            <ul aria-labelledby="hazards" className="grid grid-cols-1 gap-3">
              {hazards.map((hazard) => (
                <HazardItem key={hazard.uid} hazard={hazard} />
              ))}
            </ul>
          </>
        )}
      </WhenRead>
    </section>
  )
}

const wholeSite = 'site'

function NoteHazard({ places }: Pick<Hazards, 'places'>) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(wholeSite)
  const send = useKeyedSend(JSON.stringify, (body: { text: string; place?: string }, extras) =>
    call('POST /api/event/hazards', { body }, extras),
  )
  const note = async (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!text.trim() || send.isPending) return
    try {
      const body = { text: text.trim(), ...(place !== wholeSite && { place }) }
      client.setQueryData(hazardsQuery.queryKey, await send.mutateAsync(body))
      setText('')
      toast('Recorded.', { variant: 'success' })
    } catch (error) {
      toast(notSaved(error), { variant: 'danger' })
    }
  }
  const options = [
    { value: wholeSite, label: 'Whole site' },
    ...places.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <form noValidate className="card grid grid-cols-1 gap-3" onSubmit={(submitted) => void note(submitted)}>
      <SelectField label="Place" value={place} options={options} onChange={setPlace} />
      <TextField
        label="Hazard"
        value={text}
        maxLength={hazardLength}
        placeholder="Gas cylinders, blocked stair, flooding"
        onChange={setText}
      />
      <Button type="submit" icon={TriangleAlert} busy={send.isPending} block>
        Note the hazard
      </Button>
    </form>
  )
}

function HazardItem({ hazard: { uid, text, place, by, at, in_drill } }: { hazard: Hazard }) {
  const client = useQueryClient()
  const send = useKeyedSend(JSON.stringify, (params: { uid: string }, extras) =>
    call('POST /api/event/hazards/:uid/over', { params }, extras),
  )
  const end = async () => {
    try {
      client.setQueryData(hazardsQuery.queryKey, await send.mutateAsync({ uid }))
    } catch (error) {
      toast(notSaved(error), { variant: 'danger' })
    }
  }
  // noted anew: whoever says that it goes on has seen it in the live event
  const again = useKeyedSend(JSON.stringify, (body: { text: string; place?: string }, extras) =>
    call('POST /api/event/hazards', { body }, extras),
  )
  const goOn = async () => {
    try {
      client.setQueryData(hazardsQuery.queryKey, await again.mutateAsync({ text, ...(place && { place: place.id }) }))
      await end()
    } catch (error) {
      toast(notSaved(error), { variant: 'danger' })
    }
  }
  return (
    <li className="card flex flex-wrap items-center justify-between gap-3">
      <span className="min-w-0 grow basis-40">
        <strong className="block wrap-anywhere">{text}</strong>
        <span className="block">{place?.name ?? 'Whole site'}</span>
        <span className="block text-sm text-muted">
          {by}, {formatMoment(new Date(at))}
        </span>
        {in_drill && <strong className="block">Noted in the drill. Does it go on?</strong>}
      </span>
      {in_drill && (
        <Button
          busy={again.isPending}
          className="shrink-0"
          aria-label={`It goes on: ${text}`}
          onClick={() => void goOn()}
        >
          It goes on
        </Button>
      )}
      <Button
        variant="outline"
        className="shrink-0"
        busy={send.isPending}
        aria-label={`Over: ${text}`}
        onClick={() => void end()}
      >
        Over
      </Button>
    </li>
  )
}
