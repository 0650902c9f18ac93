import type { FilterSet } from '@evac/contract/calls/safety.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useHistoryState } from 'wouter/use-browser-location'
import { Redirect } from '../../pages/navigate.ts'
import { call } from '../../session/api.ts'
import { Page } from '../../ui/page.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { GroupMessageBox } from './sending/group-message-box.tsx'

/** EGRP-01: what the page of evacuee safety hands over. */
export interface EvacueeGroupState {
  filters: Omit<FilterSet, 'search'> & { search?: string }
  searchText: string
  sms_allowed: boolean
}

/** AMB-141: floors count only where areas were chosen; the search in force belongs to the filters. */
const filtersOf = ({ filters, searchText }: EvacueeGroupState): FilterSet => ({
  ...filters,
  floors: filters.area === 'building' ? filters.floors : ['all'],
  search: searchText,
})

const countQuery = (filters: FilterSet) =>
  queryOptions({
    queryKey: ['evacuee', 'group count', filters],
    queryFn: ({ signal }) => call('POST /api/message/evacuee/group/data', { body: { filters } }, { signal }),
  })

/** EGRP-07: without what it is about, the page has nothing to say. */
export function EvacueeGroupScreen() {
  const state = useHistoryState<EvacueeGroupState | null>()
  return state?.filters ? <EvacueeGroup state={state} /> : <Redirect to="/evacuee/safety" />
}

/** EGRP-02..08: one text to everyone whom the filters find at the moment of sending. */
function EvacueeGroup({ state }: { state: EvacueeGroupState }) {
  const filters = filtersOf(state)
  const { data, isError, isFetching, refetch } = useQuery(countQuery(filters))
  return (
    <Page className="min-h-[calc(100dvh-3.75rem)] grid-rows-[auto_1fr_auto]">
      <section aria-label="Recipients" className="card grid gap-1">
        <p className="flex items-center gap-3 text-lg font-bold">
          <Users aria-hidden className="shrink-0 text-muted" />
          <span className="grow">SMS Count</span>
          <span className="text-2xl tabular-nums">{data?.count ?? '–'}</span>
        </p>
        {data && <LeftOut {...data} />}
      </section>
      {isError && !data ? (
        <TryAgain busy={isFetching} onPress={() => void refetch()} />
      ) : (
        <p className="py-8 text-center text-lg text-muted">Message History Unavailable.</p>
      )}
      <GroupMessageBox
        to="Evacuee"
        disabled={!data || data.count === 0}
        smsAllowed={state.sms_allowed}
        bySms
        send={({ text, automatedResponse }, extras) =>
          call(
            'POST /api/message/evacuee/group/send',
            { body: { filters, automated_response_message: automatedResponse, floors: filters.floors, msg: text } },
            extras,
          )
        }
      />
    </Page>
  )
}

/** Who has to be reached by other means. */
function LeftOut(counts: { without_mobile?: number; sms_refused?: number; message?: string }) {
  const { without_mobile = 0, sms_refused = 0, message } = counts
  const parts = [
    without_mobile > 0 && `${without_mobile} without a mobile number`,
    sms_refused > 0 && `${sms_refused} refuse SMS`,
    message,
  ].filter(Boolean)
  return parts.length > 0 ? <p className="text-muted">{parts.join(' · ')}</p> : null
}
