import { unknownCauses } from '#features/board/kinds.ts'
import { noFloor } from '#features/self-report/kinds.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { navigate } from '#web/pages/navigate.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { type AccountList, accountLists } from '../kinds.ts'
import type { Wanted } from './accounting.data.ts'

export const tabWords = {
  unknown: 'Unknown',
  danger: 'In danger',
  peeps: 'PEEPs',
  contradictions: 'Contradictions',
  reports: 'Reports',
} as const
export type Tab = AccountList | 'contradictions' | 'reports'

/**
 * What the address says, '?tab=danger&floor=…', '?cause=asked' or '?tab=reports&open=…': the numbers and entries of the board
 * lead here by it. `open` is the entry that is opened at once: 'kind subject' of a contradiction, the uid of a report.
 */
export function useChosen() {
  const given = new URLSearchParams(useOwnSearch())
  const hasContradictions = useAuth()?.module_access.Module_Building_Evacuation_Status === true
  const tabs: readonly Tab[] = [...accountLists, ...(hasContradictions ? (['contradictions'] as const) : []), 'reports']
  const tab = tabs.find((one) => one === given.get('tab')) ?? 'unknown'
  const cause = unknownCauses.find((one) => one === given.get('cause'))
  const open = given.get('open')
  const place = given.get('floor') as FloorUid | BuildingUid | typeof noFloor | null
  // people always have a place; only reports may name none
  const floor = place === noFloor ? null : place
  const change = (next: { tab?: Tab; floor?: string; cause?: string }) => {
    const chosen = new URLSearchParams(
      Object.entries({ tab, floor: place ?? '', cause: cause ?? '', ...next }).filter(([, value]) => value !== ''),
    )
    if (chosen.get('tab') !== 'unknown') chosen.delete('cause')
    navigate(`/event/people?${chosen}`, { replace: true })
  }
  return { tabs, tab, open, floor, place, cause: tab === 'unknown' ? cause : undefined, change }
}
export type Chosen = ReturnType<typeof useChosen>

export const wantedOf = (list: AccountList, { floor, cause }: Chosen): Wanted => ({
  list,
  ...(floor && { floor }),
  ...(cause && { cause }),
})
