import type { Occupant } from '@evac/contract/evacuation.ts'

/** AMB-108: the query of the next page, which is followed only at our own host and at the path of its call. */
export function nextPageOf(url: string | null, path: string): Record<string, string> | null {
  if (!url) return null
  const { origin, pathname, searchParams } = new URL(url, window.location.origin)
  if (origin !== window.location.origin || pathname !== path) return null
  return Object.fromEntries(searchParams)
}

/** Somebody who moves between two pages while they are read would appear twice. */
export function onceEach(people: readonly Occupant[]): readonly Occupant[] {
  const seen = new Set<string>()
  return people.filter(({ evacuee_list_uid: uid }) => !seen.has(uid) && seen.add(uid))
}
