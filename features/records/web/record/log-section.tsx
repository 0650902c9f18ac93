import { lazy, Suspense } from 'react'
import type { LogHead } from '#features/log/calls.ts'
import { checkedWords, headProves } from '#features/log/words.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Times } from '../../times.ts'
import { RecordSection } from '../parts/record-section.tsx'
import type { ReadRecord } from '../parts/records.data.ts'

const QrCode = lazy(async () => ({ default: (await import('#web/console/qr-code.tsx')).QrCode }))

interface LogSectionProps {
  answer: ReadRecord
  number: number
  times: Times
}

/** The newest signed head of the event's log, and what it is good for. */
export function LogSection({ answer: { heads, has_mail, check }, number, times }: LogSectionProps) {
  const [head] = heads
  return (
    <RecordSection id="log" title="Log">
      {head ? (
        <Head head={head} times={times} />
      ) : (
        <p className="text-muted">The log has no signed head yet. It will follow within a minute.</p>
      )}
      {check?.trouble === null && <p>{checkedWords(check.size, times.moment(check.at))}</p>}
      {!has_mail && <Notice variant="warning">No mail server is set up: keep this head somewhere else.</Notice>}
      <p>{headProves}</p>
      {head && <HowToCheck head={head} number={number} />}
    </RecordSection>
  )
}

const wordsOf = ({ size, root }: LogHead) => `${size} ${root}`

function Head({ head, times }: { head: LogHead; times: Times }) {
  return (
    <div className="rec-head">
      <div className="rec-qr">
        <Suspense>
          <QrCode text={wordsOf(head)} label="QR code of the log head" />
        </Suspense>
      </div>
      <div className="grid grid-cols-1 gap-2 min-w-0">
        <code className="rec-code block font-semibold">Log head {wordsOf(head)}</code>
        <code className="rec-code block">Key {head.key}</code>
        <p className="text-sm text-muted">
          Signed {times.moment(head.at)}.{' '}
          {head.stamped && 'A time stamp authority has stamped it (RFC 3161); the stamp is in the ZIP.'}
        </p>
      </div>
    </div>
  )
}

/** For someone outside, who has nothing but the ZIP and this page. */
function HowToCheck({ head, number }: { head: LogHead; number: number }) {
  return (
    <>
      <h3 className="font-semibold">How to check this record</h3>
      <ol className="rec-steps">
        <li>Use Export to get the file “Everything, for checking (ZIP)”.</li>
        <li>
          Get{' '}
          <a href="/api/record/checker" download className="rec-evidence">
            record-check.mjs
          </a>{' '}
          from a server that you trust. It needs Node 20 or newer, and nothing else.
        </li>
        <li>
          Run it with the key and the head on this page. It says INTACT, or BROKEN and where.
          <code className="rec-code block text-sm">
            node record-check.mjs record-{number}.zip --key '{head.key}' --head '{wordsOf(head)}'
          </code>
        </li>
      </ol>
    </>
  )
}
