import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import type { TimelineFilter } from '../parts/records.data.ts'

/** What the address of the timeline asks for. Words that it does not know it leaves out. */
export function readTimelineFilter(search: string): TimelineFilter {
  const given = new URLSearchParams(search)
  const [person, floor, action, entries] = ['person', 'floor', 'action', 'entries'].map(
    (name) => given.get(name) ?? undefined,
  )
  return {
    show: given.get('show') === 'all' ? 'all' : 'moments',
    ...(person && { person: person as PersonUid }),
    ...(floor && { floor: floor as FloorUid }),
    ...(action && { action }),
    ...(given.get('late') === 'yes' && { late: 'yes' as const }),
    ...(entries && { entries }),
  }
}

/** The query of the address, without what is preset. */
export function searchOf({ show, ...rest }: TimelineFilter): string {
  const given = Object.entries({ ...rest, ...(show === 'all' && { show }) }).filter(([, value]) => value)
  return given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : ''
}
