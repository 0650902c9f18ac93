import type { Tx } from '#server/platform/db/db.ts'
import { readWords } from '../names/names-kept.service.ts'
import type { LogOf } from '../sealing.queries.ts'
import { findPlaceAndTime } from './head-mails.queries.ts'

/** How mails about a log name its event, in the words of then. `drill`: what the subject of a drill begins with. */
export async function nameOfEvent(tx: Tx, of: LogOf): Promise<Record<'drill' | 'type' | 'site' | 'date', string>> {
  const [words, found] = [await readWords(tx, of), await findPlaceAndTime(tx, of)]
  return {
    drill: found?.isDrill ? 'DRILL ' : '',
    type: words.type()?.name ?? 'an event',
    site: words.site()?.name ?? found?.site ?? '',
    date:
      found?.startedAt?.toLocaleDateString('en-AU', {
        timeZone: found.timezone,
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      }) ?? '',
  }
}
