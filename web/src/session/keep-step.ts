import type { SignInRecord } from '@evac/contract/report-in.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { getAuth, type StoredAuth, updateAuth } from './stored-auth.ts'

/**
 * AMB-061: what the sign-in log answered keeps stored auth in step. `before`: stored auth when it was asked. Where the feed
 * runs it is the feed that takes a warden off duty: it first asks whether the event has ended, which nobody could ask
 * without a sign-in (RT-23).
 */
export function keepStep(before: StoredAuth | null, { on_duty, WardenSignInUID }: SignInRecord, pathname: string) {
  if (getAuth()?.access_token !== before?.access_token) return
  if (getAuth()?.on_duty && !on_duty && isRealtimePage(pathname)) return
  updateAuth({ on_duty, WardenSignInUID })
}
