import type { EventUid } from '#kernel/ids.ts'
import type { Address } from '#web/pages/pages.ts'
import { Link } from '#web/ui/link.tsx'
import type { EventRecord, RecordSentence } from '../../calls/record.ts'
import { CorrectSentence } from '../additions/correcting.tsx'
import { CorrectionsHere } from '../parts/corrections.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'

/** Sentences made by fixed rules, each with what it rests upon. */
export function Summary({ event, record }: { event: EventUid; record: EventRecord }) {
  return (
    <RecordSection id="summary" title="Summary">
      <ol className="grid grid-cols-1 gap-2">
        {record.sentences.map((sentence) => (
          <li key={sentence.number} className="flex flex-wrap items-baseline gap-x-3">
            <span id={`sentence-${sentence.number}`} className="rec-sentence">
              {sentence.text}
            </span>
            <Evidence event={event} sentence={sentence} />
            <CorrectionsHere of={{ sentence: sentence.number }} />
          </li>
        ))}
      </ol>
      <CorrectSentence />
    </RecordSection>
  )
}

/** Sentence 10 counts refusals, the others of the timeline speak of its key moments. */
const timelineOf = (event: EventUid, { evidence, number }: RecordSentence): Address | null => {
  const address = `/${event}/timeline` as const
  if (evidence === 'late') return addressOf(`${address}?show=all&late=yes`)
  if (evidence !== 'entries') return null
  return addressOf(number === 10 ? `${address}?show=all&action=evacuee_refusal_set` : address)
}

function Evidence({ event, sentence }: { event: EventUid; sentence: RecordSentence }) {
  const to = timelineOf(event, sentence)
  const shared = { className: 'rec-evidence', 'aria-describedby': `sentence-${sentence.number}` }
  return to ? (
    <Link to={to} {...shared}>
      Evidence
    </Link>
  ) : (
    <a href={`#${sentence.evidence}`} {...shared}>
      Evidence
    </a>
  )
}
