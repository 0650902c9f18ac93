import type { Call } from '@evac/contract/client.ts'
import { blockingStore, conclusionStore, noteEnding } from './event-notices.ts'

/**
 * RT-25: the session of a report-in link ends with its event, and this phone may hear of both at once, on any page. Answers
 * whether the warden is told why by a notice, which leads on; false without an answer or where there is nothing to tell.
 */
export async function hearEnding(call: Call): Promise<boolean> {
  try {
    noteEnding(await call('GET /api/v2/warden/eventpoll', {}))
  } catch {}
  return conclusionStore.get() || blockingStore.get() !== null
}
