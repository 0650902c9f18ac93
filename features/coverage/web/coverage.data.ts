import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'
import type { SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { type Brief, briefQuery } from '#web/reads/brief.data.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'
import type * as calls from '../calls/coverage.ts'
import { coverageRefusals } from '../words.ts'

export type Coverage = CallReply<typeof calls.getFloorCoverage>
export type Gap = Coverage['gaps'][number]
export type Claim = Coverage['claims'][number]
export type Candidate = CallReply<typeof calls.listFloorCandidates>['candidates'][number]
type PlaceId = Gap['id']

/** Keys begin with the topic that makes real-time refetch them. */
export const coverageQuery = queryOptions({
  queryKey: ['coverage', 'gaps'],
  queryFn: ({ signal }): Promise<Coverage> => call('GET /api/event/coverage', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['event', 'attendance'] },
})

export const candidatesQuery = (floorId: PlaceId) =>
  queryOptions({
    queryKey: ['coverage', 'candidates', floorId],
    queryFn: ({ signal }) => call('GET /api/event/coverage/:floorId/candidates', { params: { floorId } }, { signal }),
    meta: { topics: ['attendance'], private: true },
  })

/** The floor that was taken becomes the default of floor evacuation, so that is read anew, too. */
export function useTake() {
  const done = useCoverageChanged()
  return useKeyedSend(
    ({ id }: Pick<Gap, 'id' | 'name'>) => id,
    async ({ id, name }, extras) => {
      await call('POST /api/event/coverage/claim', { body: { floorId: id } }, extras)
        .catch(tell)
        .finally(done)
      toast(`You have taken ${name}.`, { variant: 'success' })
    },
  )
}

export function useGiveBack() {
  const done = useCoverageChanged()
  return useKeyedSend(
    ({ id }: Pick<Claim, 'id'>) => id,
    async ({ id }, extras) => {
      await call('POST /api/event/coverage/give-back', { body: { floorId: id } }, extras)
        .catch(tell)
        .finally(done)
      toast('Given back.')
    },
  )
}

interface Asking {
  floorId: PlaceId
  wardenSignInUid: SignInUid
}

/** Returns the name of who was asked. */
export function useAsk() {
  const done = useCoverageChanged()
  return useKeyedSend(
    ({ floorId, wardenSignInUid }: Asking) => `${floorId} ${wardenSignInUid}`,
    async (body, extras) => {
      const { offer } = await call('POST /api/event/coverage/offer', { body }, extras).catch(tell).finally(done)
      toast(`${offer.name} has been asked.`, { variant: 'success' })
      return offer.name
    },
  )
}

export function useAnswer() {
  const done = useCoverageChanged()
  return useKeyedSend(
    ({ offer, take }: { offer: NonNullable<Brief['offer']>; take: 'yes' | 'no' }) => `${offer.id} ${take}`,
    async ({ offer, take }, extras) => {
      const body = { offer: offer.id, take }
      await call('POST /api/event/coverage/offer/answer', { body }, extras).catch(tell).finally(done)
      if (take === 'yes') toast(`You have taken ${offer.place.name}.`, { variant: 'success' })
    },
  )
}

/** A refusal that names someone is told as the server worded it. Everything else may be tried again. */
function tell(error: unknown): never {
  const isNamed =
    error instanceof ApiError &&
    (error.code in coverageRefusals || error.code === 'quiet_building' || error.code === 'not_on_duty')
  toast(isNamed ? error.message : 'Not saved. Try again.', { variant: isNamed ? 'info' : 'danger' })
  throw error
}

/** What depends on who holds which floor. Not awaited: the press is done when the server has answered. */
function useCoverageChanged() {
  const client = useQueryClient()
  return () => {
    // an open page keeps its place; opened anew it begins with what was taken
    client.removeQueries({ queryKey: ['floor', 'evacuation'], type: 'inactive' })
    for (const queryKey of [coverageQuery.queryKey, briefQuery.queryKey, ['coverage', 'candidates']])
      void client.invalidateQueries({ queryKey })
  }
}
