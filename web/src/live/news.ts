import type { Changed } from '@evac/contract/calls/realtime.ts'

/** What changed, or null if something may have been missed. */
export type News = readonly Changed[] | null

const listeners = new Set<(news: News) => void>()

/** Hears what the feed brings, on the pages that have it. Returns a function that stops. */
export function onNews(listener: (news: News) => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function tellNews(news: News) {
  for (const listener of listeners) listener(news)
}
