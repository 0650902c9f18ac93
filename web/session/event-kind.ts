import type { EventKind } from '#kernel/vocabulary.ts'
import { getAuth, updateAuth } from './stored-auth.ts'

/** Keeps what the server says of the warden's event. Null without one, undefined if the server did not say. */
export function noteEventKind(kind: EventKind | null | undefined) {
  if (kind !== undefined && kind !== (getAuth()?.event_kind ?? null)) updateAuth({ event_kind: kind })
}
