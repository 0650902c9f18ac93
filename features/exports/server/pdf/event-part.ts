import { actionsInWords, placesToGo } from '#features/records/doing.ts'
import { durationOf, messageOf } from '#features/records/figures.ts'
import { timesOf } from '#features/records/times.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { type Section, table } from './pdf-parts.ts'

const none = '–'

/** What was started, where and by whom. */
export function eventPart({ names }: ExportTask, { record }: RecordData): Section {
  const times = timesOf(record)
  const by = (who: typeof record.started_by) =>
    who ? (names === 'none' ? who.role : `${who.name} (${who.role})`) : none
  const announced = record.announced === null ? none : record.announced ? 'Announced' : 'Unannounced'
  const optional = (title: string, value: string | null) => (value === null ? [] : [[title, value]])
  const rows = [
    ['Kind', record.kind === 'drill' ? 'Drill (an exercise)' : 'Live event'],
    ['People were told in advance', announced],
    ['Type', record.type],
    ['Buildings', record.buildings.map(buildingOf).join(', ') || none],
    ...optional('Actions', actionsInWords(record)),
    ...optional('Where to', placesToGo(record)),
    ['Began', times.moment(record.started_at)],
    ['Ended', times.moment(record.ended_at)],
    ['Duration', durationOf(record.seconds)],
    ...optional('Shift', record.shift),
    ['Started by', by(record.started_by)],
    ['Ended by', by(record.ended_by)],
    ...optional('Made a live event', record.live_from && `${times.short(record.live_from)}, ${by(record.live_by)}`),
    ['Message', messageOf(record) || none],
    ['Message to everyone', record.toggles.broadcast ? 'Yes' : 'No'],
    ['Alert to wardens', record.toggles.alert ? 'Yes' : 'No'],
  ]
  return { title: 'Event', parts: [table(['Fact', 'Value'], ['auto', '1'], rows)] }
}

/** 'Tower C (joined after 0:04)'. */
function buildingOf({ name, joined, left }: RecordData['record']['buildings'][number]): string {
  const moves = [
    ...(joined > 0 ? [`joined after ${durationOf(joined)}`] : []),
    ...(left === null ? [] : [`left after ${durationOf(left)}`]),
  ]
  return moves.length > 0 ? `${name} (${moves.join(', ')})` : name
}
