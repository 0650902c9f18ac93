import type { Changed } from '#features/live-updates/calls/realtime.ts'

/** What changed, or null if something may have been missed. */
export type News = readonly Changed[] | null

const listeners = new Set<(news: News) => void>()

/** Hears what the feed brings, on the pages that have it. Returns a function that stops. */
export function onNews(listener: (news: News) => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The newest transaction that was heard of. A reader names it, so that no answer is older. */
let newest: number | undefined
export const heardOffset = () => newest

/** After a gap the channel may stand lower than before: the database was restored. */
export function tellNews(news: News, at?: number) {
  if (at !== undefined) newest = news === null ? at : Math.max(at, newest ?? 0)
  for (const listener of listeners) listener(news)
}
