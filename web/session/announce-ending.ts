import type { Call } from '#kernel/client/client.ts'
import { blockingStore, conclusionStore, noteEnding } from './event-notices.ts'

/**
 * A report-in link's session ends with its event, so this phone may learn of both at once, on any page. Returns
 * true if a notice tells the warden why and leads on. False if there is no answer or nothing to tell.
 */
export async function announceEnding(call: Call): Promise<boolean> {
  try {
    noteEnding(await call('GET /api/v2/warden/eventpoll', {}))
  } catch {}
  return conclusionStore.get() || blockingStore.get() !== null
}
