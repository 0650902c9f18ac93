import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InstructionUid, SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { call } from '#web/session/api.ts'
import type { Extras } from '#web/session/use-keyed-send.ts'
import type { listInstructions, previewInstruction, sendInstruction } from '../../calls/instructions.ts'

export type InstructionsPage = CallReply<typeof listInstructions>
export type Places = InstructionsPage['places']
export type Sent = InstructionsPage['sent'][number]
export type Floors = Sent['floors']
export type Preview = CallReply<typeof previewInstruction>
export type NewInstruction = CallInput<typeof sendInstruction>['body']

export const instructionsQuery = queryOptions({
  queryKey: ['command', 'instructions'],
  queryFn: ({ signal }) => call('GET /api/event/instructions', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['attendance', 'event'] },
})

/** Who has not understood, by name, 50 a page. */
export const notYetQuery = (uid: InstructionUid) =>
  infiniteQueryOptions({
    queryKey: ['command', 'not yet', uid],
    queryFn: ({ signal, pageParam: after }) =>
      call('GET /api/event/instructions/:uid', { params: { uid }, query: after ? { after } : {} }, { signal }),
    initialPageParam: null as SignInUid | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: limits.fallbackPoll,
  })

export const preview = (floors: Floors) => call('POST /api/event/instructions/preview', { body: { floors } })
export const sendInstructionTo = (body: NewInstruction, extras: Extras) =>
  call('POST /api/event/instructions', { body }, extras)
