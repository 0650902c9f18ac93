import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { noFloor } from '#features/self-report/kinds.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Nothing, NotRead } from '../contradiction-remarks.tsx'
import { PlaceSelect } from '../place-select.tsx'
import type { Chosen } from '../selected-place.ts'
import { callsOf, Groups } from './groups.tsx'
import { HandledReport } from './handled-report.tsx'
import { ManyActs } from './many-acts.tsx'
import { OpenReports } from './open-reports.tsx'
import { type ReportsPage, type ReportsWanted, reportsQuery } from './reports.data.ts'
import { UnknownTexts } from './unknown-texts.tsx'

const states = [
  { value: 'open', label: 'Open' },
  { value: 'handled', label: 'Handled' },
] as const

const unplaced = { value: noFloor, label: 'No floor named' }

/** What occupants say of themselves, calls for help first. */
export function Reports({ chosen: { place: floor, open, change } }: { chosen: Chosen }) {
  const [state, setState] = useState<ReportsWanted['state']>('open')
  const [network, setNetwork] = useState<string>()
  const where = { ...(state === 'open' && network !== undefined && { network }), ...(floor && { floor }) }
  return (
    <>
      <div className="grid grid-cols-1 gap-2 wide:max-w-192 wide:grid-cols-2 wide:items-end">
        <ToggleChoice legend="Reports" options={states} value={state} onChange={setState} />
        <PlaceSelect value={floor} further={unplaced} onChange={(next) => change({ floor: next })} />
      </div>
      {where.network !== undefined && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>Reports from one network.</p>
            <Button variant="outline" onClick={() => setNetwork(undefined)}>
              All reports
            </Button>
          </div>
        </Notice>
      )}
      <List key={`${state} ${network} ${floor}`} wanted={{ state, ...where }} opened={open} onNetwork={setNetwork} />
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
      {isOpen && <Summary page={first} wanted={wanted} />}
      <Groups groups={groups} moment={moment} floor={wanted.floor} upTo={first.newest} onOpen={onNetwork} />
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

/** How many there are, and what is done with many at once. */
function Summary({ page, wanted: { network, floor } }: { page: ReportsPage; wanted: ReportsWanted }) {
  const { open, help, page_open, chosen, naming, newest, groups } = page
  const more = groups.find((group) => group.network === network)?.more ?? 0
  return (
    <>
      {!page_open && <Notice variant="warning">The poster page is closed.</Notice>}
      {open > 0 && (
        <h2 className="font-semibold">
          {open === 1 ? '1 open report' : `${formatCount(open)} open reports`}
          {help > 0 && <span className="text-danger-ink">, {callsOf(help)}</span>}
        </h2>
      )}
      <div className="flex flex-wrap gap-2 *:grow wide:*:grow-0 empty:hidden">
        <ManyActs
          of={{ where: { network, floor }, upTo: newest, ...chosen, more, naming }}
          acceptWords={(count) => `Accept all ${count} that name one person`}
          canDismiss={network !== undefined || floor !== undefined}
        />
      </div>
      <UnknownTexts page={page} />
    </>
  )
}
