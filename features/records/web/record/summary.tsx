import type { EventUid } from '#kernel/ids.ts'
import type { Address } from '#web/pages/pages.ts'
import { Link } from '#web/ui/link.tsx'
import type { RecordAddition } from '../../calls/additions.ts'
import type { EventRecord, RecordSentence } from '../../calls/record.ts'
import { type Addition, correctedWords, correctionsOf, correctionsOfMissing } from '../../standing.ts'
import type { Times } from '../../times.ts'
import { CorrectSentence } from '../additions/correcting.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'

interface SummaryProps {
  event: EventUid
  record: EventRecord
  additions: readonly RecordAddition[]
  times: Times
}

/** Sentences made by fixed rules, each with what it rests upon and what corrects it. */
export function Summary({ event, record, additions, times }: SummaryProps) {
  const missing = correctionsOfMissing(additions, record.sentences)
  return (
    <RecordSection id="summary" title="Summary">
      <ol className="grid grid-cols-1 gap-2">
        {record.sentences.map((sentence, nth) => (
          // of 17 and 19 there may be several
          <li key={sentence.text} className="flex flex-wrap items-baseline gap-x-3">
            <span id={`sentence-${nth}`} className="rec-sentence">
              {sentence.text}
            </span>
            <Evidence event={event} sentence={sentence} of={`sentence-${nth}`} />
            <Corrected of={correctionsOf(additions, sentence.number)} times={times} />
          </li>
        ))}
      </ol>
      {missing.length > 0 && (
        <>
          <h3 className="font-semibold">What the summary leaves out</h3>
          <Corrected of={missing} times={times} />
        </>
      )}
      <CorrectSentence />
    </RecordSection>
  )
}

/** What corrects a sentence stands under it. */
const Corrected = ({ of, times }: { of: readonly Addition<'correction'>[]; times: Times }) =>
  of.map((correction) => (
    <p key={correction.uid} className="rec-after rec-corrected rec-words">
      {correctedWords(correction, times)}
    </p>
  ))

/** Its own entries. Older records do not name them: sentence 10 counts refusals, the others speak of key moments. */
const timelineOf = (event: EventUid, { evidence, number, entries }: RecordSentence): Address | null => {
  const address = `/${event}/timeline` as const
  if (evidence === 'late') return addressOf(`${address}?show=all&late=yes`)
  if (evidence !== 'entries') return null
  if (entries && entries.length > 0) return addressOf(`${address}?show=all&entries=${entries.join()}`)
  return addressOf(number === 10 ? `${address}?show=all&action=evacuee_refusal_set` : address)
}

function Evidence({ event, sentence, of }: { event: EventUid; sentence: RecordSentence; of: string }) {
  const to = timelineOf(event, sentence)
  const shared = { className: 'rec-evidence', 'aria-describedby': of }
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
