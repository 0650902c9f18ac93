import { useState } from 'react'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import type { Noting } from '../../calls/observing.ts'
import { dayAt, isoDayAt, minuteAt, momentsAt, offsetAt } from '../../times.ts'

/** The event of which something is noted. */
export type NotedEvent = Pick<Noting, 'site' | 'timezone' | 'started_at' | 'ended_at'>

const dayMs = 86_400_000
/** As far as the clock of a phone may be behind. */
const clockErrorMs = 300_000

interface Typed {
  day: string
  time: string
  /** Which of both, if the clocks show the time twice. */
  nth: 'First' | 'Second'
}

/** When something was seen, by the clocks of the site whatever the zone of this phone. */
export function useSeenAt(event: NotedEvent) {
  const { timezone, started_at, ended_at } = event
  const none = (): Typed => ({ day: isoDayAt(ended_at ? started_at : Date.now(), timezone), time: '', nth: 'First' })
  const [typed, setTyped] = useState(none)
  const moments = typed.day && typed.time ? momentsAt(typed.day, typed.time, timezone) : []
  const at = moments[typed.nth === 'First' ? 0 : moments.length - 1]
  return {
    typed,
    set: (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part })),
    clear: () => setTyped(none()),
    isTwice: moments.length > 1,
    /** ISO 8601 with the offset of the site. Undefined: just now. */
    at: typed.time === '' ? (ended_at ?? undefined) : at,
    problems: {
      day: typed.time !== '' && typed.day === '' ? 'Choose a day.' : undefined,
      time: problemOf(event, typed, at, none().day),
    },
  }
}

function problemOf({ started_at, ended_at }: NotedEvent, { day, time }: Typed, at: string | undefined, preset: string) {
  if (day === '') return undefined
  if (time === '') return day === preset ? undefined : 'Enter the time.'
  if (at === undefined) return `The clocks skipped ${time} on that day.`
  const seen = Date.parse(at)
  const latest = Math.min(Date.now() + clockErrorMs, ended_at ? Date.parse(ended_at) + dayMs : Number.POSITIVE_INFINITY)
  return seen < Date.parse(started_at) - dayMs || seen > latest ? 'That time is outside the event.' : undefined
}

/** 'Sydney Office time (UTC+11:00). Leave the time empty for now.' */
function hintOf({ site, timezone, started_at, ended_at }: NotedEvent, at: string | undefined): string {
  const zone = `${site} time (UTC${offsetAt(at ?? started_at, timezone)}).`
  if (ended_at === null) return `${zone} Leave the time empty for now.`
  const end = momentOf(ended_at, timezone, dayAt(started_at, timezone))
  return `${zone} It ran from ${minuteAt(started_at, timezone)} to ${end}. Leave the time empty for its end.`
}

/** '10:14', with its day if that is another one: '15 Nov, 00:10'. */
export const momentOf = (at: string, timezone: string, day: string) =>
  `${dayAt(at, timezone) === day ? '' : `${dayAt(at, timezone)}, `}${minuteAt(at, timezone)}`

interface WhenFieldsProps {
  event: NotedEvent
  seen: ReturnType<typeof useSeenAt>
  /** Saving was tried. */
  isTried: boolean
}

export function WhenFields({ event, seen, isTried }: WhenFieldsProps) {
  const { typed, set, isTwice, at, problems } = seen
  return (
    <>
      <div className="rec-when">
        <TextField
          label="Date"
          type="date"
          value={typed.day}
          onChange={(day) => set({ day })}
          error={isTried ? problems.day : undefined}
        />
        <TextField
          label="Time"
          type="time"
          value={typed.time}
          hint={hintOf(event, at)}
          onChange={(time) => set({ time })}
          error={isTried ? problems.time : undefined}
        />
      </div>
      {isTwice && (
        <ToggleChoice
          legend={`First or second ${typed.time}?`}
          options={nths}
          value={typed.nth}
          onChange={(nth) => set({ nth })}
        />
      )}
    </>
  )
}

const nths = (['First', 'Second'] as const).map((nth) => ({ value: nth, label: nth }))
