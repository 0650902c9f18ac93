import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import { durationOf } from '../../figures.ts'
import { contactNotMeasured } from '../../words.ts'
import { breakable } from '../parts/breakable.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { FoldedTable } from '../parts/table.tsx'

type Contact = NonNullable<EventRecord['contact']>

/** When wardens on duty were out of contact. */
export function ContactSection({ record: { contact, seconds } }: { record: EventRecord }) {
  return (
    <RecordSection id="contact" title="Contact">
      {contact ? (
        <>
          <Figures>
            <Figure name="Out of contact for more than 90 s">{formatCount(contact.wardens)}</Figure>
            <Figure name="At the end">{formatCount(contact.to_the_end)}</Figure>
          </Figures>
          <Gaps contact={contact} seconds={seconds} />
        </>
      ) : (
        <p className="text-muted">{contactNotMeasured}</p>
      )}
      {contact && <p className="text-sm text-muted">Precision 60 s</p>}
    </RecordSection>
  )
}

/** Times in which no one had contact, and gaps of single wardens, in their order. */
function Gaps({ contact: { service, gaps }, seconds }: { contact: Contact; seconds: number }) {
  const rows = [
    ...service.map((gap) => ({ ...gap, name: 'Everyone on duty', role: 'No phone reached the server' })),
    ...gaps,
  ].toSorted((a, b) => a.from - b.from)
  if (rows.length === 0) return null
  return (
    <FoldedTable
      words="Each gap"
      caption="Contact"
      rows={rows.map((row, at) => ({ ...row, key: at }))}
      keyOf={({ key }) => key}
      columns={[
        {
          head: 'Warden',
          cell: ({ name, role }) => (
            <>
              {breakable(name)}
              <span className="block text-sm font-normal text-muted">{role}</span>
            </>
          ),
        },
        { head: 'From', number: true, cell: ({ from }) => durationOf(from) },
        { head: 'To', number: true, cell: ({ to }) => (to === null ? 'to the end' : durationOf(to)) },
        { head: 'Lasted', number: true, cell: ({ from, to }) => durationOf((to ?? seconds) - from) },
      ]}
    />
  )
}
