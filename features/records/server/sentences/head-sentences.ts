import { wordOf } from '#kernel/action-words.ts'
import type { Action } from '#kernel/actions.ts'
import { wordsOfRecord } from '../../doing.ts'
import { durationOf } from '../../figures.ts'
import { kindName } from '../../words.ts'
import { countOf, named, numberOf, type Told, timesIn, was } from './sentence-words.ts'

export function whatAndWhen(record: Told): string {
  const { timeOf, dateOf } = timesIn(record)
  const [began, ended] = [dateOf(record.started_at), dateOf(record.ended_at)]
  const end = timeOf(record.ended_at) + (began === ended ? '' : ` on ${ended}`)
  const buildings = record.buildings.map(({ name }) => name).join(', ')
  return `The ${kindName[record.kind]} "${record.type}" at ${record.site.name} (${buildings}) began at ${timeOf(record.started_at)} on ${began} and ended at ${end}, after ${durationOf(record.seconds)}.`
}

export function byWhom({ started_by, ended_by }: Told): string | null {
  if (!started_by || !ended_by) return null
  return `It was started by ${named(started_by)} and ended by ${named(ended_by)}.`
}

export function toldBefore(record: Told): string | null {
  if (record.live_from) {
    const time = timesIn(record).timeOf(record.live_from)
    return `It was a drill until ${time}; from then on it was a live event.`
  }
  if (record.kind !== 'drill' || record.announced === null) return null
  return record.announced ? 'People were told beforehand.' : 'People were not told beforehand.'
}

/** One sentence for each action that was ended by a change. */
export function actionChanges(record: Told): string[] {
  const { timeOf } = timesIn(record)
  return (record.actions ?? []).flatMap(({ seconds, action, buildings }) => {
    // the place to go to may have changed alone
    const changed = buildings.filter(
      (one): one is typeof one & { before: Action } => one.before !== undefined && one.before !== action,
    )
    const at = timeOf(new Date(Date.parse(record.started_at) + seconds * 1000).toISOString())
    return [...Map.groupBy(changed, ({ before }) => before)].map(
      ([before, own]) =>
        `At ${at} the action in ${own.map(({ name }) => name).join(', ')} changed from ${wordOf(before)} to ${wordOf(action)}.`,
    )
  })
}

export function drillPart(record: Told): string | null {
  const { drill_part: drill, live_from } = record
  if (!drill || !live_from) return null
  const { people, floors } = drill
  const words = wordsOfRecord(record)
  const safe = `${numberOf(people.safe)} of ${countOf(people.total, 'person', 'people')} ${was(people.safe)} recorded ${words.recordedSafe}`
  const clear = `${numberOf(floors.reported)} of ${countOf(floors.total, 'floor', 'floors')} ${was(floors.reported)} reported ${words.done}`
  return `In the drill, ${safe} and ${clear}. The figures below count from ${timesIn(record).timeOf(live_from)}.`
}
