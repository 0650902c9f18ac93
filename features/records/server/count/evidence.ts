import { isCall } from './calls-and-outages.ts'
import type { Fact } from './facts.queries.ts'
import type { Span } from './spans.ts'

/** A sentence leads to so many entries. */
const mostEntries = 50

const starts = ['event_started', 'drill_made_live', 'event_ended']
/** The entries upon which sentences rest, by number. */
const rests: Readonly<Record<number, (fact: Fact) => boolean>> = {
  1: ({ action }) => [...starts, 'buildings_added', 'buildings_removed'].includes(action),
  2: ({ action }) => starts.includes(action),
  3: ({ action }) => action === 'event_started' || action === 'drill_made_live',
  10: ({ action, takesEffect }) => action === 'evacuee_refusal_set' && takesEffect,
  21: (fact) =>
    isCall(fact) ||
    fact.action === 'calls_for_help_counted' ||
    (fact.action === 'self_report_handled' && fact.after?.state !== 'accepted'),
  22: ({ action }) => action === 'service_gap',
  25: ({ action }) => action === 'action_changed',
  24: ({ action }) => action === 'instruction_sent' || action === 'instruction_understood',
}
const isOfWholeEvent = (number: number) => number <= 3 || number === 25

/** The positions of entries by the number of their sentence, in the order of the journal. */
export function openEvidence() {
  const found = new Map<number, { position: string; recorded: number }[]>()
  return {
    take(fact: Fact) {
      // the most frequent kind, upon which no sentence rests
      if (fact.action === 'evacuee_status_set') return
      for (const [number, holds] of Object.entries(rests)) {
        if (!holds(fact)) continue
        const own = found.get(Number(number)) ?? []
        found.set(Number(number), own)
        own.push({ position: fact.position, recorded: fact.recorded })
      }
    },
    /** Those of the part, of sentences about the event all. */
    of: (number: number, { from, to }: Span): string[] =>
      (found.get(number) ?? [])
        .filter(({ recorded }) => isOfWholeEvent(number) || (from <= recorded && recorded <= to))
        .slice(0, mostEntries)
        .map(({ position }) => position),
  }
}
