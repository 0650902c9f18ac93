import { Building2, MapPin, UserRound } from 'lucide-react'
import { areaText, eventText, locationLines, withDomain } from '#web/lib/report-texts.ts'
import { useLoadingWords } from '#web/lib/use-online.ts'
import { EventBand, EventFrame } from '#web/ui/event-frame.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import type { ReportData } from '../calls/report-in.ts'

const noEvent =
  'There are no current Events at your Site. If you are not creating an Event, please sign-in again once an Event is running.'

/** What a warden reads before they report in. Without an answer every value reads 'Loading...'. */
export function ReportFacts({ report }: { report: ReportData['data'] | undefined }) {
  const loading = report === undefined
  return (
    <div className="grid content-start gap-4">
      <CurrentEvent report={report} />
      <Facts loading={loading}>
        <Fact icon={Building2} label="Building(s) Included" loading={loading}>
          {report && locationLines(report).map((line) => <p key={line}>{line}</p>)}
        </Fact>
        <Fact icon={UserRound} label="Role" loading={loading}>
          {report?.role.Warden_Role}
        </Fact>
        <Fact icon={MapPin} label={report ? withDomain('My Areas', report) : 'My Areas'} loading={loading}>
          {report && areaText(report)}
        </Fact>
      </Facts>
    </div>
  )
}

function CurrentEvent({ report }: { report: ReportData['data'] | undefined }) {
  const runs = report?.active_event === true
  const loading = useLoadingWords()
  return (
    <EventFrame inEvent={runs} band={<EventBand inEvent={runs} title="Current Event" />}>
      <div className="grid gap-2 p-4">
        <p className={`text-xl leading-tight ${report ? 'font-bold' : 'text-muted'}`}>
          {report ? eventText(report) : loading}
        </p>
        {report && !runs && <p>{noEvent}</p>}
      </div>
    </EventFrame>
  )
}
