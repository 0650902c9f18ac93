import { useQuery } from '@tanstack/react-query'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { instructionsQuery } from './instructions/instructions.data.ts'
import { NewInstructionForm } from './instructions/new-instruction-form.tsx'
import { SentList } from './instructions/sent-list.tsx'

/** What wardens are told to do, and who has understood it. */
export function InstructionsScreen() {
  const read = useQuery(instructionsQuery)
  return (
    <Page>
      <WhenRead read={read} parts={['field', 'line', 'line', 'line']}>
        {({ places, sent, sms_allowed }) => (
          <>
            <NewInstructionForm places={places} smsAllowed={sms_allowed} />
            <SentList sent={sent} places={places} />
          </>
        )}
      </WhenRead>
    </Page>
  )
}
