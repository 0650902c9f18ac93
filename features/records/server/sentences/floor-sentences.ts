import { wordsOfRecord } from '../../doing.ts'
import { countedFrom, durationOf } from '../../figures.ts'
import { placeName } from '../count/floor-figures.ts'
import { countOf, numberOf, placesInWords, type Told, was } from './sentence-words.ts'

type Text = string | null

export function floorsClear({
  floors: { has_clear_status, total, clear, reported = clear, rows },
  ...record
}: Told): Text {
  if (!has_clear_status || total === 0) return null
  const { done } = wordsOfRecord(record)
  if (reported === 0) return `No floor was reported ${done}.`
  const last = rows.findLast((row) => row.clear !== null)
  const stood =
    last && last.clear !== null
      ? `; the last was ${placeName(last)} after ${durationOf(countedFrom(record, last.clear))}`
      : ''
  const open = rows.filter((row) => row.first_clear !== null && row.clear === null).map(placeName)
  const not =
    open.length === 0
      ? ''
      : ` ${numberOf(open.length)} of them ${was(open.length)} not ${done} at the end: ${placesInWords(open)}.`
  return `${numberOf(reported)} of ${countOf(total, 'floor', 'floors')} ${was(reported)} reported ${done}${stood}.${not}`
}

export function floorsTooEarly({ floors: { rows }, ...record }: Told): Text {
  const early = rows.filter(({ unseen_when_clear }) => unseen_when_clear > 0)
  if (early.length === 0) return null
  const people = early.reduce((sum, { unseen_when_clear }) => sum + unseen_when_clear, 0)
  const { done, inDanger } = wordsOfRecord(record)
  const whose = early.length === 1 ? 'its' : 'their'
  return `${countOf(early.length, 'floor was', 'floors were')} reported ${done} while ${numberOf(people)} of ${whose} people ${was(people)} still unknown or ${inDanger}.`
}

export function floorsNeverCovered({ floors, wardens: { never_covered, names_never_covered } }: Told): Text {
  if (never_covered === 0) return null
  return `${numberOf(never_covered)} of ${countOf(floors.total, 'floor', 'floors')} had no warden, and nothing was recorded there: ${placesInWords(names_never_covered, never_covered)}.`
}
