import type { EventKind } from '#kernel/vocabulary.ts'
import type { EventRecord } from './calls/record.ts'
import { sayOfRecord } from './doing.ts'
import { durationOf, lastClearOf, textsBy } from './figures.ts'
import { kindName } from './words.ts'

/** A record beside the latest earlier one of its kind, alike on the page and in the PDF. This file has no schema, because the browser imports it. */

type Earlier = NonNullable<EventRecord['compared']>

/** A figure now and then. Null: there is none, and `why`. */
export interface ComparedLine {
  name: string
  now: number | null
  before: number | null
  words: (value: number) => string
  /** The words of less and of more. */
  less: string
  more: string
  why: string
}

const percent = (share: number) => `${Math.round(share * 100)}%`
const plain = (value: number) => String(Math.round(value))
const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)

/** What is compared. Of records with other buildings only what was counted in the buildings of both. */
export function comparedLines(record: EventRecord, earlier: Earlier): ComparedLine[] {
  const { written, delivered } = textsBy(record.texts.purposes)
  const { end } = record.people
  const say = sayOfRecord(record)
  const own = earlier.own ?? { last_clear: lastClearOf(record), unaccounted: end.unknown + end.danger }
  const duration = { words: durationOf, less: 'sooner', more: 'later' }
  const share = { words: percent, less: 'lower', more: 'higher' }
  const ofBoth: ComparedLine[] = [
    {
      name: say('Last floor clear'),
      now: own.last_clear,
      before: earlier.last_clear,
      ...duration,
      why: say('Not every floor was clear.'),
    },
    {
      name: 'Not accounted for',
      now: own.unaccounted,
      before: earlier.unaccounted,
      words: plain,
      less: 'fewer',
      more: 'more',
      why: '',
    },
  ]
  if (earlier.same_buildings === false) return ofBoth
  const ofAll: ComparedLine[] = [
    {
      name: 'Half of the wardens answered',
      now: record.wardens.answered.half,
      before: earlier.half_answered,
      ...duration,
      why: 'Fewer than half answered.',
    },
    {
      name: 'Floors covered at best',
      now: shareOf(Math.max(0, ...record.wardens.coverage.map(([, count]) => count)), record.floors.total),
      before: shareOf(earlier.covered, earlier.floors),
      ...share,
      why: 'There were no floors.',
    },
    {
      name: 'Texts delivered',
      now: shareOf(delivered, written),
      before: earlier.delivered,
      ...share,
      why: 'No texts were written.',
    },
  ]
  return ofBoth.toSpliced(1, 0, ...ofAll)
}

/** How it changed: -1 less, 1 more, 0 as far as the words tell. Null: one of the two is missing. */
export function changeOf({ now, before, words, less, more }: ComparedLine): { way: -1 | 0 | 1; said: string } | null {
  if (now === null || before === null) return null
  const change = now - before
  if (words(Math.abs(change)) === words(0)) return { way: 0, said: 'The same' }
  return { way: change < 0 ? -1 : 1, said: `${words(Math.abs(change))} ${change < 0 ? less : more}` }
}

export const nothingEarlier = (kind: EventKind) => `There is no earlier ${kindName[kind]} to compare with.`

/** What stands behind the number of the earlier record: ', the drill of 14 Nov 2026. They have …'. `date`: when that began. */
export function comparedWith(record: EventRecord, earlier: Earlier, date: string): string {
  const floors = `${earlier.common_floors} ${earlier.common_floors === 1 ? 'floor' : 'floors'}`
  const done = sayOfRecord(record)('clear')
  const other = earlier.same_buildings === false ? ' Only the buildings of both are compared.' : ''
  return `, the ${kindName[record.kind]} of ${date}. They have ${floors} in common: the ${done} time is for those.${other}`
}
