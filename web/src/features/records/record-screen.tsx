import type { EventRecord } from '@evac/contract/calls/records/record.ts'
import type { EventUid } from '@evac/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { ListOrdered, Printer } from 'lucide-react'
import { useEffect } from 'react'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { titleNameStore } from '../../live/title-name.ts'
import { usePageParameters } from '../../pages/use-page-parameters.ts'
import { AsOf } from '../../ui/as-of.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { WhenRead } from '../../ui/when-read.tsx'
import { RecordActions } from './actions/record-actions.tsx'
import { RecordFacts } from './additions/facts.tsx'
import { Observations } from './additions/observations.tsx'
import { SignOff } from './additions/sign-off.tsx'
import './parts/looks.ts'
import { type ReadRecord, recordQuery } from './parts/records.data.ts'
import { NotRead, Offline } from './parts/remarks.tsx'
import { KindBand } from './parts/signs.tsx'
import { timesOf } from './parts/times.ts'
import { ArrivedLate } from './record/arrived-late.tsx'
import { ComparedSection } from './record/compared-section.tsx'
import { ContactSection } from './record/contact-section.tsx'
import { DecisionsSection } from './record/decisions-section.tsx'
import { FloorsSection } from './record/floors-section.tsx'
import { PeopleSection } from './record/people-section.tsx'
import { PlansSection } from './record/plans-section.tsx'
import { RecordHead } from './record/record-head.tsx'
import { Summary } from './record/summary.tsx'
import { TextsSection } from './record/texts-section.tsx'
import { WardensSection } from './record/wardens-section.tsx'

const stateWords = {
  writing: 'The record is being written. This takes up to a minute.',
  failed: 'The record could not be written yet. It is tried again every minute.',
} as const

/** AAR-05, AAR-08: what is kept of an event, and what people added to it. */
export function RecordScreen() {
  const event = usePageParameters().eventUid as EventUid
  const read = useQuery(recordQuery(event))
  return (
    <Page className="rec-page">
      <Offline />
      {read.data && <NotRead read={read} />}
      <WhenRead read={read} parts={['card', 'line', 'line', 'card']}>
        {(answer) =>
          answer.record ? (
            <WholeRecord event={event} answer={answer} record={answer.record} readAt={read.dataUpdatedAt} />
          ) : (
            <div role="status">
              <Notice>{stateWords[answer.state === 'failed' ? 'failed' : 'writing']}</Notice>
            </div>
          )
        }
      </WhenRead>
    </Page>
  )
}

interface WholeRecordProps {
  event: EventUid
  answer: ReadRecord
  record: EventRecord
  readAt: number
}

/** The headings, in the order of the page. */
const sections = [
  ...(['Summary', 'People', 'Floors', 'Wardens', 'Texts', 'Plans', 'Decisions', 'Contact', 'Compared'] as const),
  ...(['Facts', 'Observations', 'Actions', 'Sign-off'] as const),
]

function WholeRecord({ event, answer: { additions, whole, arrived_late }, record, readAt }: WholeRecordProps) {
  const isWide = useIsWide()
  const times = timesOf(record)
  useTitleName(`Record ${record.number}`)
  const own = { event, record, times }
  const added = { ...own, additions, mayAdd: whole }
  const observed = (
    <>
      <Observations {...added} />
      <RecordActions {...added} />
    </>
  )
  return (
    <div className="rec-sheets">
      <div className="rec-every">
        <KindBand kind={record.kind} number={record.number} />
      </div>
      <div className="rec-body">
        <div className="rec-three">
          {isWide && <Contents />}
          <div className="grid grid-cols-1 gap-4">
            <RecordHead record={record} times={times} />
            <Summary event={event} record={record} />
            <PeopleSection {...own} />
            <FloorsSection record={record} />
            <WardensSection record={record} />
            <TextsSection record={record} />
            <PlansSection {...own} />
            <DecisionsSection record={record} times={times} />
            <ContactSection record={record} />
            <ArrivedLate event={event} records={arrived_late} />
            {!isWide && <RecordFacts {...added} />}
            {!isWide && observed}
            <ComparedSection record={record} />
            {!isWide && <SignOff {...added} />}
          </div>
          {isWide && (
            <div className="grid grid-cols-1 gap-4">
              <RecordFacts {...added} />
              {observed}
              <SignOff {...added} />
            </div>
          )}
        </div>
        <div className="rec-screen">
          <AsOf at={readAt} />
        </div>
        <Foot event={event} />
      </div>
    </div>
  )
}

/** UX-22: which record it is, for the accessible name of the title. */
function useTitleName(name: string) {
  useEffect(() => {
    titleNameStore.set(name)
    return () => titleNameStore.set('')
  }, [name])
}

function Contents() {
  return (
    <nav aria-label="Contents" className="rec-contents rec-still">
      <ul>
        {sections.map((title) => (
          <li key={title}>
            <a href={`#${title.toLowerCase()}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Foot({ event }: { event: EventUid }) {
  return (
    <div className="rec-foot pin-bottom">
      <Link to={`/event/records/${event}/timeline`} className={buttonClass('blue')}>
        <ListOrdered aria-hidden className="shrink-0" />
        Timeline
      </Link>
      <Button variant="outline" icon={Printer} onClick={() => window.print()}>
        Print
      </Button>
    </div>
  )
}
