import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { CheckCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { reportLimits } from '#features/self-report/kinds.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useStore } from '#web/lib/store.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Nothing, NotRead } from '../contradiction-remarks.tsx'
import { acceptAll, undoAcceptAll, waitingStore } from './accept-all.ts'
import { callsOf, Groups } from './groups.tsx'
import { HandledReport } from './handled-report.tsx'
import { OpenReports } from './open-reports.tsx'
import { type ReportsPage, type ReportsWanted, reportsQuery } from './reports.data.ts'
import { UnknownTexts } from './unknown-texts.tsx'

const states = [
  { value: 'open', label: 'Open' },
  { value: 'handled', label: 'Handled' },
] as const

/** What occupants say of themselves, calls for help first. */
export function Reports({ open }: { open: string | null }) {
  const [state, setState] = useState<ReportsWanted['state']>('open')
  const [network, setNetwork] = useState<string>()
  return (
    <>
      <div className="wide:max-w-96">
        <ToggleChoice legend="Reports" options={states} value={state} onChange={setState} />
      </div>
      {state === 'open' && network !== undefined && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>Reports from one network.</p>
            <Button variant="outline" onClick={() => setNetwork(undefined)}>
              All reports
            </Button>
          </div>
        </Notice>
      )}
      <List
        key={`${state} ${network}`}
        wanted={{ state, ...(state === 'open' && network !== undefined && { network }) }}
        opened={open}
        onNetwork={setNetwork}
      />
    </>
  )
}

interface ListProps {
  wanted: ReportsWanted
  /** The uid of the call that is answered at once. */
  opened: string | null
  onNetwork: (network: string) => void
}

function List({ wanted, opened, onNetwork }: ListProps) {
  const list = useInfiniteQuery(reportsQuery(wanted))
  const stale = useConnectionHealth().trouble !== null || list.isError
  const first = list.data?.pages[0]
  if (!first) return list.isError ? <NotRead read={list} /> : <Skeleton />
  const moment = { at: first.at, readAt: list.dataUpdatedAt }
  // one that was handled between two pages moves the others
  const reports = [...new Map(list.data?.pages.flatMap((page) => page.reports).map((one) => [one.uid, one])).values()]
  const isOpen = wanted.state === 'open'
  const groups = isOpen && wanted.network === undefined ? first.groups : []
  return (
    <>
      <NotRead read={list} />
      <AsOf at={list.dataUpdatedAt} stale={stale} />
      {!isOpen && <h2 className="sr-only">Handled reports</h2>}
      {isOpen && <Summary page={first} network={wanted.network} />}
      <Groups groups={groups} moment={moment} onOpen={onNetwork} />
      {reports.length === 0 && groups.length === 0 && <Nothing />}
      {isOpen ? (
        <OpenReports key={opened} reports={reports} opened={opened} moment={moment} />
      ) : (
        <ul
          // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
          role="list"
          aria-label="Handled reports"
          className="cards gap-2"
        >
          {reports.map((report) => (
            <li key={report.uid}>
              <HandledReport report={report} moment={moment} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        key={list.dataUpdatedAt}
        enabled={list.hasNextPage && !list.isFetching && !list.isFetchNextPageError}
        onNear={list.fetchNextPage}
      />
    </>
  )
}

/** How many there are, and 'Accept all'. */
function Summary({ page, network }: { page: ReportsPage; network: string | undefined }) {
  const { open, help, page_open } = page
  return (
    <>
      {!page_open && <Notice variant="warning">The poster page is closed.</Notice>}
      {open > 0 && (
        <h2 className="font-semibold">
          {open === 1 ? '1 open report' : `${formatCount(open)} open reports`}
          {help > 0 && <span className="text-danger-ink">, {callsOf(help)}</span>}
        </h2>
      )}
      <AcceptAll page={page} network={network} />
      <UnknownTexts page={page} />
    </>
  )
}

function AcceptAll({ page: { naming, newest }, network }: { page: ReportsPage; network: string | undefined }) {
  const client = useQueryClient()
  const waiting = useStore(waitingStore)
  const count = Math.min(naming, reportLimits.acceptAll)
  if (waiting)
    return (
      <Button variant="outline" icon={Undo2} className="wide:justify-self-start" onClick={undoAcceptAll}>
        Undo: accepting {formatCount(waiting.count)}
      </Button>
    )
  if (count === 0 || newest === null) return null
  return (
    <Button
      icon={CheckCheck}
      className="wide:justify-self-start"
      onClick={() => acceptAll(client, { count, upTo: newest, network })}
    >
      Accept all {formatCount(count)} that name one person
    </Button>
  )
}
