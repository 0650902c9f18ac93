import { useQuery } from '@tanstack/react-query'
import { Download, History, ListOrdered, Printer } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { titleNameStore } from '#web/live/title-name.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { EventRecord } from '../calls/record.ts'
import { sayOfRecord } from '../doing.ts'
import { asCounted } from '../figures.ts'
import { ofKind } from '../standing.ts'
import { writtenEarlyWords } from '../words.ts'
import { RecordActions } from './actions/record-actions.tsx'
import { Hold } from './additions/hold.tsx'
import { Observations } from './additions/observations.tsx'
import { RecordFacts } from './additions/recorded-facts.tsx'
import { SignOff } from './additions/sign-off.tsx'
import { ExportSheet } from './export/export-sheet.tsx'
import { CorrectionsProvider } from './parts/corrections.tsx'
import './parts/styles.ts'
import { formatDateIn } from '#web/console/zone-time.ts'
import { timesOf } from '../times.ts'
import { type ReadRecord, recordQuery } from './parts/records.data.ts'
import { NotRead, Offline } from './parts/remarks.tsx'
import { SayContext } from './parts/say.ts'
import { KindBand } from './parts/signs.tsx'
import { Trouble } from './parts/trouble.tsx'
import { addressOf, useEventUid } from './parts/warden-or-console.tsx'
import { ArrivedLate } from './record/arrived-late.tsx'
import { ComparedSection } from './record/compared-section.tsx'
import { ContactSection } from './record/contact-section.tsx'
import { DecisionsSection } from './record/decisions-section.tsx'
import { FloorsSection } from './record/floors-section.tsx'
import { LogSection } from './record/log-section.tsx'
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

/** What is kept of an event, and what people added to it. */
export function RecordScreen() {
  const event = useEventUid()
  const read = useQuery(recordQuery(event))
  return (
    <Page className="rec-page">
      <Trouble answer={read.data} />
      <Offline />
      {read.data && <NotRead read={read} />}
      <WhenRead read={read} parts={['card', 'line', 'line', 'card']}>
        {(answer) =>
          answer.record ? (
            <WholeRecord event={event} answer={answer} record={asCounted(answer.record)} readAt={read.dataUpdatedAt} />
          ) : (
            <NoRecord answer={answer} />
          )
        }
      </WhenRead>
    </Page>
  )
}

/** After RETAIN_RECORDS_DAYS number and dates are left. Else it is not written yet. */
function NoRecord({ answer }: { answer: ReadRecord }) {
  const { state, number, started_at, ended_at, reduced_at } = answer
  const times = timesOf(answer)
  if (state !== 'reduced')
    return (
      <div role="status">
        <Notice>{stateWords[state === 'failed' ? 'failed' : 'writing']}</Notice>
      </div>
    )
  return (
    <section aria-label="Header" className="card grid grid-cols-1 gap-3">
      <h2 className="text-2xl leading-tight font-bold">Record {number}</h2>
      <p>
        {times.moment(started_at)} to {times.moment(ended_at)}
      </p>
      {reduced_at && <Notice>Personal data was deleted on {formatDateIn(reduced_at, answer.timezone)}.</Notice>}
    </section>
  )
}

interface WholeRecordProps {
  event: EventUid
  answer: ReadRecord
  record: EventRecord
  readAt: number
}

/** The headings, in the order of the page. */
const titlesOf = ({ arrived_late }: ReadRecord) => [
  ...['Summary', 'People', 'Floors', 'Wardens', 'Texts', 'Plans', 'Decisions', 'Contact'],
  ...(arrived_late > 0 ? ['Arrived after the end'] : []),
  ...['Compared', 'Facts', 'Observations', 'Actions', 'Sign-off', 'Hold', 'Log'],
]

function WholeRecord({ event, answer, record, readAt }: WholeRecordProps) {
  const { additions, whole, reduced_at } = answer
  const titles = titlesOf(answer)
  const isWide = useIsWide()
  const isManager = useAuth()?.module_access.Module_Event_Management === true
  const times = timesOf(record)
  const say = useMemo(() => sayOfRecord(record), [record])
  useTitleName(`Record ${record.number}`)
  const own = { event, record, times }
  const corrections = ofKind(additions, 'correction')
  const added = { ...own, additions, mayAdd: whole }
  const held = <Hold event={event} answer={answer} times={times} isManager={isManager} />
  const observed = (
    <>
      <Observations {...added} asked={answer.checklist} />
      <RecordActions {...added} />
    </>
  )
  return (
    <SayContext value={say}>
      <CorrectionsProvider value={{ ...own, corrections, whole }}>
        <div className="rec-sheets">
          <div className="rec-every">
            <KindBand kind={record.kind} number={record.number} />
            <p className="rec-print rec-why">
              {record.type}, {record.site.name}, {times.moment(record.started_at)}
            </p>
          </div>
          <div className="rec-body">
            <div className="rec-three">
              {isWide && <Contents titles={titles} />}
              <div className="grid grid-cols-1 gap-4">
                {reduced_at && (
                  <Notice>Personal data was deleted on {formatDateIn(reduced_at, answer.timezone)}.</Notice>
                )}
                {answer.recount && <Notice>{answer.recount.text}</Notice>}
                {record.written_early && <Notice>{writtenEarlyWords}</Notice>}
                <RecordHead answer={answer} record={record} times={times} />
                {!isWide && <FoldedContents titles={titles} />}
                <Summary {...own} additions={additions} />
                <PeopleSection {...own} />
                <FloorsSection record={record} />
                <WardensSection record={record} />
                <TextsSection record={record} />
                <PlansSection {...own} />
                <DecisionsSection record={record} times={times} />
                <ContactSection record={record} />
                <ArrivedLate {...{ event, answer, times }} />
                {!isWide && <RecordFacts {...added} />}
                {!isWide && observed}
                <ComparedSection record={record} />
                {!isWide && (
                  <>
                    <SignOff {...added} />
                    {held}
                  </>
                )}
                <LogSection answer={answer} number={record.number} times={times} />
              </div>
              {isWide && (
                <div className="grid grid-cols-1 gap-4">
                  <RecordFacts {...added} />
                  {observed}
                  <SignOff {...added} />
                  {held}
                </div>
              )}
            </div>
            <div className="rec-screen">
              <AsOf at={readAt} said={times.short(new Date(readAt).toISOString())} />
            </div>
            <Foot event={event} record={record} />
          </div>
        </div>
      </CorrectionsProvider>
    </SayContext>
  )
}

/** Which record it is, for the accessible name of the title. */
function useTitleName(name: string) {
  useEffect(() => {
    titleNameStore.set(name)
    return () => titleNameStore.set('')
  }, [name])
}

const Contents = ({ titles }: { titles: readonly string[] }) => (
  <nav aria-label="Contents" className="rec-contents rec-still">
    <Sections titles={titles} />
  </nav>
)

/** Where the page is one column, the way to each part. */
const FoldedContents = ({ titles }: { titles: readonly string[] }) => (
  <nav aria-label="Contents" className="rec-contents rec-parts card">
    <details>
      <summary className="rec-unfold">Contents</summary>
      <Sections titles={titles} />
    </details>
  </nav>
)

const Sections = ({ titles }: { titles: readonly string[] }) => (
  <ul>
    {titles.map((title) => (
      <li key={title}>
        <a href={`#${title.toLowerCase().replaceAll(' ', '-')}`}>{title}</a>
      </li>
    ))}
  </ul>
)

function Foot({ event, record }: { event: EventUid; record: EventRecord }) {
  const [isExporting, setExporting] = useState(false)
  return (
    <div className="rec-foot pin-bottom">
      <Button icon={Download} aria-haspopup="dialog" onClick={() => setExporting(true)}>
        Export
      </Button>
      <Link to={addressOf(`/${event}/timeline`)} className={buttonClass('outline')}>
        <ListOrdered aria-hidden className="shrink-0" />
        Timeline
      </Link>
      <ReplayLink event={event} />
      <Button variant="outline" icon={Printer} onClick={() => window.print()}>
        Print
      </Button>
      {isExporting && <ExportSheet event={event} number={record.number} onClose={() => setExporting(false)} />}
    </div>
  )
}

const ReplayLink = ({ event }: { event: EventUid }) => (
  <Link to={addressOf(`/${event}/replay`)} className={buttonClass('outline')}>
    <History aria-hidden className="shrink-0" />
    Replay
  </Link>
)
