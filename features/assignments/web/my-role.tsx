import { queryOptions, useQuery } from '@tanstack/react-query'
import { Building2, CalendarCheck, Check, CircleCheck, MapPin, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportData } from '#features/duty/calls/report-in.ts'
import type { AssignmentUid } from '#kernel/ids.ts'
import { areaText, eventText, locationLines, withDomain } from '#web/lib/report-texts.ts'
import { useLoadingWords, useOnline } from '#web/lib/use-online.ts'
import { call } from '#web/session/api.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { EventBand, EventFrame } from '#web/ui/event-frame.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Link } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { Outline } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { ChiefCard } from './chief-card.tsx'
import { Documents } from './documents.tsx'

/** The key names the assignment: one person may hold several. */
const roleQuery = (assignment: AssignmentUid | null) =>
  queryOptions({
    queryKey: ['event', 'role', assignment],
    queryFn: ({ signal }) => call('GET /api/reportin/index', {}, { signal }),
    select: ({ data }) => data,
  })

interface MyRoleProps {
  /** The own floor, drawn by the feature that knows it. */
  floor: ReactNode
}

/** The own role and its duties. While on duty it begins with what is next. */
export function MyRole({ floor }: MyRoleProps) {
  const auth = useAuth()
  const assignment = auth?.Warden_Assignment_UID ?? null
  const role = useQuery(roleQuery(assignment))
  return (
    <Page>
      {auth?.on_duty && <OnDuty role={role.data} />}
      {floor}
      {role.data?.chief && <ChiefCard chief={role.data.chief} />}
      {auth?.on_duty && role.isPending && <Outline parts={['buttons']} />}
      <section aria-labelledby="my-documents" className="grid grid-cols-1 gap-2">
        <h2 id="my-documents" className="text-lg font-bold">
          Documents
        </h2>
        <Documents assignment={assignment} />
      </section>
      {role.isError && !role.data ? (
        <TryAgain busy={role.isFetching} onPress={() => void role.refetch()} />
      ) : (
        <RoleFacts role={role.data} />
      )}
      <AsOf at={role.dataUpdatedAt} stale={role.isRefetchError} />
      <Link to="/coverage/mine" className={buttonClass('outline', true)}>
        <CalendarCheck aria-hidden className="shrink-0" />
        My Days
      </Link>
    </Page>
  )
}

function OnDuty({ role }: { role: ReportData['data'] | undefined }) {
  const isOnline = useOnline()
  return (
    <div className="card border-l-8 border-l-green">
      <p className="flex items-center gap-2 text-lg font-bold">
        <Check aria-hidden className="shrink-0" />
        You are on duty
      </p>
      {role ? (
        <p className="text-muted">
          {role.role.Warden_Role} · {areaText(role)}
        </p>
      ) : (
        isOnline && <p aria-hidden className="skeleton my-1 h-4 w-2/3" />
      )}
    </div>
  )
}

function RoleFacts({ role }: { role: ReportData['data'] | undefined }) {
  const loading = role === undefined
  return (
    <>
      <Facts loading={loading}>
        <Fact icon={UserRound} label="Current Role" loading={loading}>
          {role?.role.Warden_Role}
        </Fact>
        <Fact icon={MapPin} label={role ? withDomain('My Areas', role) : 'My Areas'} loading={loading}>
          {role && areaText(role)}
        </Fact>
      </Facts>
      <Event role={role} />
    </>
  )
}

function Event({ role }: { role: ReportData['data'] | undefined }) {
  const loading = role === undefined
  const words = useLoadingWords()
  const runs = role?.active_event === true
  return (
    <EventFrame inEvent={runs} band={<EventBand inEvent={runs} title="Event" />}>
      <div className="grid gap-4 p-4">
        <p className={`text-xl leading-tight ${role ? 'font-bold' : 'text-muted'}`}>{role ? eventText(role) : words}</p>
        <dl className="grid gap-4">
          <Fact icon={CircleCheck} label="Active Event" loading={loading}>
            {runs ? 'Yes' : 'No'}
          </Fact>
          <Fact icon={Building2} label="Locations" loading={loading}>
            {role && locationLines(role).map((line) => <p key={line}>{line}</p>)}
          </Fact>
        </dl>
      </div>
    </EventFrame>
  )
}
