import type { SignInRecord } from '#features/duty/calls/report-in.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { getAuth, type StoredAuth, updateAuth } from './stored-auth.ts'

/**
 * Updates stored auth from the reply of the sign-in log. `before`: stored auth when the call was made. On
 * pages with the feed, only the feed takes a warden off duty, because it first asks whether the event has ended, which
 * is impossible without a participation.
 */
export function applySignInLog(
  before: StoredAuth | null,
  { on_duty, WardenSignInUID, event_kind }: SignInRecord,
  pathname: string,
) {
  if (getAuth()?.access_token !== before?.access_token) return
  if (getAuth()?.on_duty && !on_duty && isRealtimePage(pathname)) return
  updateAuth({ on_duty, WardenSignInUID, event_kind })
}
