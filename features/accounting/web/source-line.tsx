import { useNow } from '#web/lib/time/use-now.ts'
import type { Source } from '../calls.ts'
import type { Grade, OwnWay } from '../kinds.ts'

const ownWords: Record<OwnWay, string> = { text: 'Own text', page: 'Own page', call: 'Own call' }
const gradeWords: Record<Grade, string> = { seen: 'Seen', told: 'Reported', own: 'Self-reported', none: 'None' }

function lineOf({ grade, by, floor, own }: Source): string {
  if (grade === 'none') return 'Nothing yet'
  if (grade === 'own') return ownWords[own ?? 'text']
  if (!by) return 'Recorded'
  const where = floor ? `, on ${floor}` : ''
  return `Recorded by ${[by.name, by.role].filter(Boolean).join(', ')}${where}`
}

/** When an answer was of, by the server and by this phone: ages count on from there. */
export interface Moment {
  at: string
  readAt: number
}

/** How good a state is, who said so, where, and how long ago; old ones in bold. */
export function SourceLine({ source, moment }: { source: Source; moment: Moment }) {
  return (
    <p className="text-muted">
      <span className="rounded-md border border-hairline px-1.5 text-sm font-semibold text-ink">
        {gradeWords[source.grade]}
      </span>{' '}
      <span>{lineOf(source)}</span>
      {source.at && <Age at={source.at} moment={moment} />}
    </p>
  )
}

/** How long ago something was, counting on from the answer. Above 30 minutes in bold. */
export function Age({ at, moment, lead = ' · ' }: { at: string; moment: Moment; lead?: string }) {
  const minutes = Math.max(0, (useNow(15_000) - moment.readAt + Date.parse(moment.at) - Date.parse(at)) / 60_000)
  return (
    <span className={minutes > 30 ? 'font-bold text-ink' : ''}>
      {lead}
      {ageOf(minutes)}
    </span>
  )
}

function ageOf(minutes: number): string {
  if (minutes < 1) return '<1 min ago'
  return minutes < 100 ? `${Math.floor(minutes)} min ago` : `${Math.floor(minutes / 60)} h ago`
}
