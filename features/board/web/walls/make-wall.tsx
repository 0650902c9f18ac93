import { useQueryClient } from '@tanstack/react-query'
import { MonitorUp } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { SiteUid } from '#kernel/ids.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WallPlace } from '../../kinds.ts'
import { wallPlaceWords } from './wall-place-words.ts'
import { type MadeWall, wallSentence, wallsQuery } from './walls.data.ts'

interface Wanted {
  site: SiteUid
  name: string
  place: WallPlace
  days: number
}

/** Days. */
const usual = '90'
const isDays = (days: number) => Number.isInteger(days) && days >= 1 && days <= 366

/** Pressed again after a lost answer it makes no second link. */
export function MakeWall({ site, onMade }: { site: SiteUid; onMade: (made: MadeWall) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [place, setPlace] = useState<WallPlace | null>(null)
  const [days, setDays] = useState(usual)
  const [isAsked, setAsked] = useState(false)
  const send = useKeyedSend(JSON.stringify, (body: Wanted, extras) => call('POST /api/event/walls', { body }, extras))
  const missing = {
    name: name.trim() === '' ? 'Give the screen a name.' : undefined,
    place: place === null ? 'Choose where the screen is.' : undefined,
    days: isDays(Number(days)) ? undefined : 'Enter 1 to 366 days.',
  }
  const make = async (submitted: FormEvent) => {
    submitted.preventDefault()
    setAsked(true)
    if (!place || missing.name || missing.days || send.isPending) return
    try {
      const made = await send.mutateAsync({ site, name: name.trim(), place, days: Number(days) })
      onMade({ ...made, name: name.trim() })
      toast('Wall link made.', { variant: 'success' })
      setName('')
      setPlace(null)
      setAsked(false)
      void client.invalidateQueries({ queryKey: wallsQuery(site).queryKey })
    } catch (error) {
      toast(wallSentence(error), { variant: 'danger' })
    }
  }
  return (
    <form noValidate className="card grid grid-cols-1 gap-4" onSubmit={(submitted) => void make(submitted)}>
      <TextField
        label="Name of the screen"
        value={name}
        maxLength={40}
        error={isAsked ? missing.name : undefined}
        onChange={setName}
      />
      <PlaceChoice value={place} error={isAsked ? missing.place : undefined} onChange={setPlace} />
      <TextField
        label="Days"
        inputMode="numeric"
        value={days}
        error={isAsked ? missing.days : undefined}
        onChange={setDays}
      />
      <Button type="submit" icon={MonitorUp} busy={send.isPending} block>
        Make a link
      </Button>
    </form>
  )
}

interface PlaceChoiceProps {
  value: WallPlace | null
  error: string | undefined
  onChange: (place: WallPlace) => void
}

/** No preset. The person who puts the screen up knows who passes by. */
function PlaceChoice({ value, error, onChange }: PlaceChoiceProps) {
  const name = useId()
  return (
    <fieldset aria-describedby={error && `${name}-error`}>
      <legend className="mb-1 font-semibold">Where is this screen?</legend>
      {Object.entries(wallPlaceWords).map(([place, { words, shows }]) => (
        <label key={place} className="bd-wall-place">
          <input type="radio" name={name} checked={value === place} onChange={() => onChange(place as WallPlace)} />
          <span>
            {words}
            <span className="block text-sm text-muted">{shows}</span>
          </span>
        </label>
      ))}
      {error && (
        <p id={`${name}-error`} className="text-sm text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}
