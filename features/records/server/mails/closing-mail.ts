import { keepMail } from '#features/log/words.ts'
import { asValue, fill } from '#server/platform/fill.ts'
import { timesIn } from '../sentences/sentence-words.ts'
import type { Mailed } from './record-mails.queries.ts'

/** Numbers of the sentences of the closing mail. */
const sentencesMailed = [1, 5, 6]

/** What the site's event managers get when the record is ready. `key`: who has signed its head. */
export function closingMail({ record, size, root }: Mailed, { link, key }: { link: string; key: string }) {
  const { kind, number, type, site, sentences } = record
  const date = timesIn(record).dateOf(record.started_at)
  const told = sentences.filter((sentence) => sentencesMailed.includes(sentence.number)).map(({ text }) => text)
  return {
    subject:
      (kind === 'drill' ? 'DRILL ' : '') +
      fill('Record {number}: {type} at {site}, {date}', { number, type, site: site.name, date }),
    body: [
      `The record is ready:\n${link}`,
      told.map(asValue).join('\n'),
      `Log head: ${size} ${root}\nKey: ${key}`,
      keepMail,
    ].join('\n\n'),
  }
}
