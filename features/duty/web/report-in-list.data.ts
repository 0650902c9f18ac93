import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SignInUid } from '#kernel/ids.ts'
import { newKey } from '#web/lib/new-key.ts'
import { call } from '#web/session/api.ts'
import { eventFlags } from '#web/session/event-flags.ts'
import { finishRejoin } from '#web/session/finish-rejoin.ts'
import { getAuth, type StoredAuth, updateAuth } from '#web/session/stored-auth.ts'
import type { ReportInCard } from '../calls/report-in.ts'
import { sameCards } from './same-cards.ts'

/** The list has no real-time feed, and a waiting warden must see the event begin. */
const refetchEvery = 30_000

/** All cards, or the one of the link. */
export const cardsQuery = ({ isReportInToken, signInMethod, WardenSignInUID }: StoredAuth) =>
  queryOptions({
    queryKey: ['assignment', 'cards', isReportInToken ? WardenSignInUID : signInMethod],
    queryFn: async ({ signal }): Promise<ReportInCard[]> => {
      if (!isReportInToken) return call('GET /api/warden/reportInCardJson', { query: { signInMethod } }, { signal })
      // The sign-in is gone with its event, and so is the card.
      if (!WardenSignInUID) return []
      return call('GET /api/v2/warden/singleReportInCardJson', { query: { WardenSignInUID } }, { signal })
    },
    refetchInterval: refetchEvery,
    meta: { redact: (cards: ReportInCard[]) => cards.map((card) => ({ ...card, oauth_token: '' })) },
  })

/**
 * Reads the list again before an action, a lost rejoin settled; the fresh list is on screen from here
 * on. Answers the fresh card, or null when anything has changed. Throws when the list could not be read, also at once
 * without signal.
 */
export async function readAgain(
  queryClient: QueryClient,
  shown: readonly ReportInCard[],
  card: ReportInCard,
): Promise<ReportInCard | null> {
  const auth = getAuth()
  if (!auth) return null
  await finishRejoin(call)
  const query = cardsQuery(auth)
  await queryClient.cancelQueries({ queryKey: query.queryKey })
  const fresh = await queryClient.fetchQuery({ ...query, staleTime: 0, retry: false, networkMode: 'always' })
  return sameCards(shown, fresh) ? (fresh[shown.indexOf(card)] ?? null) : null
}

/** For the assignment and withdraw screens. */
export function keepDetails(card: ReportInCard) {
  updateAuth({
    reportInDetails: {
      clientSite: card.Client_Site,
      role: card.Warden_Role,
      area: card.Assignment_Location,
      dateFrom: card.Date_From,
      dateTo: card.Date_To,
    },
    reportInDetailsOf: card.Warden_Assignment_UID,
  })
}

/** From here on the session acts in this card's assignment. */
export async function rejoinAs({ oauth_token, person_uid }: ReportInCard) {
  updateAuth({ rejoining: { key: newKey(), body: oauth_token ? { oauth_token } : { person_uid } } })
  await finishRejoin(call)
}

interface TurnedDown {
  error: string
  message: string
}
/** Throws where there is none: no one may be told that they are recorded when nothing was sent. */
function signInOf({ Warden_Sign_In_UID, WardenSignInUID }: ReportInCard): SignInUid {
  const uid = Warden_Sign_In_UID ?? WardenSignInUID
  if (!uid) throw new Error('This card has no sign-in')
  return uid
}

/** Answers why not, or null once on duty. */
export async function goOnDuty(card: ReportInCard): Promise<TurnedDown | null> {
  const Warden_Sign_In_UID = signInOf(card)
  const reply = await call('POST /api/v2/warden/reportin', { body: { Warden_Sign_In_UID } })
  if ('error' in reply) return reply
  updateAuth({ on_duty: true, WardenSignInUID: Warden_Sign_In_UID, event: eventFlags('start') })
  return null
}

/** Answers why not, or null once recorded. */
export async function reportNotAvailable(card: ReportInCard): Promise<TurnedDown | null> {
  const Warden_Sign_In_UID = signInOf(card)
  const reply = await call('POST /api/v2/warden/reportna', { body: { Warden_Sign_In_UID } })
  return 'error' in reply ? reply : null
}
