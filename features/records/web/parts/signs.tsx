import {
  CircleAlert,
  CircleCheck,
  CircleMinus,
  CircleQuestionMark,
  type LucideIcon,
  Megaphone,
  Siren,
} from 'lucide-react'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { RecordResult } from '../../calls/record.ts'
import { resultInWords } from '../../doing.ts'

type ResultWord = RecordResult['word']

/** The icon, and the words of the filter. */
export const resultLook: Record<ResultWord, { icon: LucideIcon; ink: string; filter: string }> = {
  accounted: { icon: CircleCheck, ink: 'text-safe', filter: 'Everyone accounted for' },
  unaccounted: { icon: CircleQuestionMark, ink: 'text-warning-ink', filter: 'Not accounted for' },
  danger: { icon: CircleAlert, ink: 'text-danger-ink', filter: 'In danger at the end' },
  nobody: { icon: CircleMinus, ink: 'text-muted', filter: 'No one to account for' },
}

export function Result({ result }: { result: RecordResult }) {
  const { icon: Icon, ink } = resultLook[result.word]
  return (
    <span className="flex items-center gap-2 font-semibold">
      <Icon aria-hidden size={20} className={`shrink-0 ${ink}`} />
      {resultInWords(result)}
    </span>
  )
}

const kindWord: Record<EventKind, string> = { drill: 'DRILL', live: 'LIVE' }
const kindIcon: Record<EventKind, LucideIcon> = { drill: Megaphone, live: Siren }

export function KindBadge({ kind }: { kind: EventKind }) {
  const Icon = kindIcon[kind]
  return (
    <strong className="rec-kind" data-kind={kind}>
      <Icon aria-hidden size={16} />
      {kindWord[kind]}
    </strong>
  )
}

/** Printed on every sheet of a record. */
export function KindBand({ kind, number }: { kind: EventKind; number: number }) {
  const Icon = kindIcon[kind]
  return (
    <p className="rec-band" data-kind={kind}>
      <Icon aria-hidden size={20} className="shrink-0" />
      {kind === 'drill' ? 'DRILL' : 'LIVE EVENT'}. Record {number}
    </p>
  )
}
