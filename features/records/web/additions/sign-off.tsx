import { PenLine } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import type { SignedAt } from '../../calls/additions.ts'
import type { EventRecord } from '../../calls/record.ts'
import { ofKind } from '../../standing.ts'
import { signOffSentence } from '../../words.ts'
import { AddedBy } from '../parts/added-by.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { useAddition } from '../parts/records.data.ts'
import { Adds } from '../parts/warden-or-console.tsx'
import { AddedList, type AdditionsProps } from './added.tsx'
import { correctedWords } from './correcting.tsx'

interface SignOffProps extends AdditionsProps {
  event: EventUid
  record: EventRecord
  /** The whole event is within the reader's reach. */
  mayAdd: boolean
}

/** Any number of sign-offs, and what corrects the record. */
export function SignOff({ event, record, mayAdd, additions, times }: SignOffProps) {
  const signOffs = ofKind(additions, 'sign_off')
  const corrections = ofKind(additions, 'correction')
  return (
    <RecordSection id="sign-off" title="Sign-off">
      {signOffs.length === 0 && <p className="text-muted">No one has signed this record yet.</p>}
      {signOffs.length > 0 && (
        <ul aria-label="Sign-offs" className="grid grid-cols-1 gap-3">
          {signOffs.map((signOff) => (
            <li key={signOff.uid}>
              <p className="flex items-center gap-1.5 font-semibold">
                <PenLine aria-hidden size={16} className="shrink-0 text-link" />
                Signed by {signOff.by}
              </p>
              <AddedBy addition={{ ...signOff, role: signOff.body.role ?? signOff.role }} times={times} />
              <HeadThen {...signOff.body} />
            </li>
          ))}
        </ul>
      )}
      {corrections.length > 0 && (
        <h3 id="corrections" className="font-semibold">
          Corrections
        </h3>
      )}
      <AddedList label="Corrections" of={corrections} additions={additions}>
        {(correction) => (
          <>
            <p className="rec-words text-muted">{correctedWords(correction.body, record)}</p>
            <p className="rec-words">{correction.body.text}</p>
            <AddedBy addition={correction} times={times} />
          </>
        )}
      </AddedList>
      <Adds>
        {mayAdd ? (
          <Signing event={event} />
        ) : (
          <p className="text-sm text-muted">To sign, you need access to every building in the event.</p>
        )}
      </Adds>
    </RecordSection>
  )
}

/** What was signed is the log up to this head. */
const HeadThen = ({ head }: SignedAt) =>
  head && (
    <code className="rec-code block text-sm">
      Log head {head.size} {head.root}
    </code>
  )

/** The second press signs. */
function Signing({ event }: { event: EventUid }) {
  const [isAsked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  const { add, busy } = useAddition(event)
  const role = typed.trim()
  const sign = async () => {
    if (await add({ kind: 'sign_off', body: role ? { role } : {} }, 'You have signed the record.')) setAsked(false)
  }
  return (
    <>
      <p className="rec-screen">{signOffSentence}</p>
      <TextField label="Your role" value={typed} maxLength={120} onChange={setTyped} className="rec-screen" />
      <Button icon={PenLine} onClick={() => setAsked(true)}>
        Sign off
      </Button>
      <ConfirmDialog
        open={isAsked}
        title="Sign this record?"
        confirm="Sign"
        variant="blue"
        busy={busy}
        onConfirm={() => void sign()}
        onCancel={() => setAsked(false)}
      >
        {signOffSentence}
      </ConfirmDialog>
    </>
  )
}
