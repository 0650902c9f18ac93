import type { BundleLine, IsInReach } from '#features/log/server/bundle.service.ts'
import type { JsonValue } from '#server/platform/db/tables.ts'
import type { RecordData } from './record-data.ts'
import type { StoredRecord } from './stored-record.ts'

/** Entries that name no person, so that readers of a part of the event have them, too. */
const forAll: readonly unknown[] = [
  'record_closed',
  'log_moved',
  'event_started',
  'event_ended',
  'drill_made_live',
  'service_gap',
  'log_opened',
  'log_form',
  'log_broken',
  'log_head_mailed',
  'lines_erased',
  'people_packed',
]

/** A reader of the whole event has all lines, another one those about places within reach. */
export function reachOfLines({ isWhole, places, additions }: RecordData, stored?: StoredRecord): IsInReach {
  const isInRecord = ({ path }: BundleLine) => stored === undefined || stored.isShown(String(path))
  if (isWhole) return (file, line) => file !== 'record' || isInRecord(line)
  const shown = new Set<unknown>(additions.map(({ uid }) => uid))
  const isOwn = (place: unknown) => typeof place === 'string' && places.has(place)
  const isOwnEntry = ({ action, subject, before, after }: BundleLine) => {
    if (action === 'record_entry_added') return shown.has(fieldOf(after, 'entry_uid'))
    // counts of other places stand in it
    const tally = fieldOf(after, 'tally')
    if (Array.isArray(tally) && !tally.every((counts) => Array.isArray(counts) && isOwn(counts[0]))) return false
    const named = [before, after].flatMap((value) => [fieldOf(value, 'floor_uid'), fieldOf(value, 'building_uid')])
    // floors of a building are for readers of all of it
    if (action === 'names_kept') return fieldOf(after, 'site') !== undefined || isOwn(subject)
    return forAll.includes(action) || isOwn(subject) || named.some(isOwn)
  }
  return (file, line) => {
    if (file === 'record') return isInRecord(line)
    return file === 'journal' ? isOwnEntry(line) : isOwn(line.floor) || (line.floor === null && isOwn(line.building))
  }
}

const fieldOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value[key] : undefined
