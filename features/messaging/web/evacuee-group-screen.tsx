import { queryOptions, useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useHistoryState } from 'wouter/use-browser-location'
import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import { areaFloorsQuery } from '#web/evacuees/area-floors.data.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useSayTotal } from '#web/live/response.ts'
import { Redirect } from '#web/pages/navigate.ts'
import { call } from '#web/session/api.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Page } from '#web/ui/page.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { AudienceNames } from './sending/audience-names.tsx'
import type { Question } from './sending/confirm-send.tsx'
import { type AudienceSite, audienceWords, type Chip } from './sending/evacuee-audience.ts'
import { GroupMessageBox } from './sending/group-message-box.tsx'

/** What the page of evacuee safety hands over. */
export interface EvacueeGroupState {
  filters: Omit<FilterSet, 'search'> & { search?: string }
  searchText: string
  sms_allowed: boolean
}

/** Floors count only where areas were chosen; the search in force belongs to the filters. */
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

/** Without what it is about, the page has nothing to say. */
export function EvacueeGroupScreen() {
  const state = useHistoryState<EvacueeGroupState | null>()
  return state?.filters ? <EvacueeGroup state={state} /> : <Redirect to="/evacuee/safety" />
}

/** One text to everyone whom the filters find at the moment of sending. */
function EvacueeGroup({ state }: { state: EvacueeGroupState }) {
  const filters = filtersOf(state)
  const { data, isError, isFetching, refetch } = useQuery(countQuery(filters))
  const words = audienceWords(filters, useAudienceSite(filters), useSayTotal())
  const question = (counts: Counts): Question => ({
    count: counts.count,
    title: `Text ${inPeople(counts.count)}?`,
    audience: words.sentence,
    ...leftOf(counts),
  })
  const askAnew = async () => {
    const { data, isError } = await refetch()
    return data && !isError ? question(data) : undefined
  }
  return (
    <Page className="min-h-[calc(100dvh-3.75rem)] grid-rows-[auto_1fr_auto]">
      <section aria-label="Recipients" className="card grid gap-1">
        <Reach counts={data} filters={filters} />
        <p className="flex items-center gap-3 text-lg font-bold">
          <Users aria-hidden className="shrink-0 text-muted" />
          <span className="grow">SMS Count</span>
          <span className="text-2xl tabular-nums">{data ? formatCount(data.count) : '–'}</span>
        </p>
        <Chips chips={words.chips} />
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
        question={data && question(data)}
        askAnew={askAnew}
        send={({ text, automatedResponse, count }, extras) =>
          call(
            'POST /api/message/evacuee/group/send',
            {
              body: {
                filters,
                automated_response_message: automatedResponse,
                floors: filters.floors,
                msg: text,
                count,
              },
            },
            extras,
          )
        }
      />
    </Page>
  )
}

/** The floors of the event by name, and those of the own area where they matter. */
function useAudienceSite({ area }: FilterSet): AudienceSite {
  const all = useQuery(areaFloorsQuery('everyone'))
  const own = useQuery({ ...areaFloorsQuery('my area'), enabled: area === 'my area' })
  return { all: all.data, own: own.data }
}

function Chips({ chips }: { chips: readonly Chip[] }) {
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-1">
      {chips.map(({ text, status }) => {
        const Icon = status && statusLook[status].icon
        return (
          <li
            key={text}
            className={`flex min-w-0 items-center gap-1 rounded-full px-3 py-1 text-sm font-bold wrap-anywhere ${status ? statusLook[status].className : 'bg-raised'}`}
          >
            {Icon && <Icon aria-hidden size={16} className="shrink-0" />}
            {text}
          </li>
        )
      })}
    </ul>
  )
}

interface Counts {
  count: number
  without_mobile?: number
  sms_refused?: number
  message?: string
}

const inPeople = (count: number) => `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`

/** Who of the people is not texted, and why. */
const unreached = ({ without_mobile = 0, sms_refused = 0 }: Counts) =>
  [
    without_mobile > 0 && `${formatCount(without_mobile)} without a mobile number`,
    sms_refused > 0 && `${formatCount(sms_refused)} ${sms_refused === 1 ? 'refuses' : 'refuse'} SMS`,
  ].filter((words) => words !== false)

function leftOf(counts: Counts): Pick<Question, 'left'> {
  const left = unreached(counts)
  return left.length > 0 ? { left: `Not texted: ${left.join(', ')}.` } : {}
}

interface ReachProps {
  counts: Counts | undefined
  filters: FilterSet
}

/**
 * How many people the filters match, and who of them has to be reached by other means. This number comes first: the
 * button that led here showed it.
 */
function Reach({ counts, filters }: ReachProps) {
  const canSeeNames = useAuth()?.module_access.Module_Evacuee_Safety === true
  if (!counts) return <p className="min-h-12 content-center">–</p>
  const { count, without_mobile = 0, sms_refused = 0, message } = counts
  const people = count + without_mobile + sms_refused
  const parts = [inPeople(people), ...unreached(counts), message].filter(Boolean)
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-2">
      <p className="font-semibold">{parts.join(' · ')}</p>
      {canSeeNames && people > 0 && <AudienceNames filters={filters} people={people} />}
    </div>
  )
}
