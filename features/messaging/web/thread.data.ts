import { type QueryState, queryOptions } from '@tanstack/react-query'
import type { AssignmentUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { noteRead } from '#web/live/unread.ts'
import { call } from '#web/session/api.ts'
import type { EvacueeThread, Message, WardenThread } from '../calls/messaging.ts'
import { messengerLists } from './messenger/messenger.data.ts'

interface AnyThread {
  messages: Message[]
  senderWardenSignInUid: SignInUid | null
}

/** Keys begin with the topic that makes real-time refetch them; the polls are the fallback. */
const evacueeKey = (id: PersonUid) => ['message', 'evacuee', id] as const
const wardenKey = (id: AssignmentUid) => ['message', 'warden', id] as const

/** A first load that failed is tried again by hand: its toast would come back with every poll. */
const every = (ms: number) => (query: { state: Pick<QueryState, 'data'> }) => (query.state.data ? ms : false)

export const evacueeThreadQuery = (toEvacuee: PersonUid) =>
  queryOptions({
    queryKey: evacueeKey(toEvacuee),
    queryFn: async ({ client, queryKey, signal }) => {
      const isKnown = client.getQueryData(queryKey) !== undefined
      const name = isKnown ? 'GET /api/message/evacuee/poll' : 'GET /api/message/evacuee/data'
      const answer = await call(name, { query: { toEvacuee } }, { signal })
      return joinThread(client.getQueryData<EvacueeThread>(queryKey), answer)
    },
    refetchInterval: every(limits.evacueeThreadPoll),
    retry: false,
  })

export const wardenThreadQuery = (toWarden: AssignmentUid) =>
  queryOptions({
    queryKey: wardenKey(toWarden),
    queryFn: async ({ client, queryKey, signal }) => {
      const isKnown = client.getQueryData(queryKey) !== undefined
      const name = isKnown ? 'GET /api/message/warden/poll' : 'GET /api/message/warden/data'
      const answer = await call(name, { query: { toWarden } }, { signal })
      if (!isKnown) {
        noteRead(toWarden)
        // The lists were read before this thread was: on the way back they would still say unread.
        for (const queryKey of messengerLists) void client.invalidateQueries({ queryKey, refetchType: 'none' })
      }
      return joinThread(client.getQueryData<WardenThread>(queryKey), answer)
    },
    refetchInterval: every(limits.wardenThreadPoll),
    retry: false,
  })

/** A poll that began before a message was sent comes back without it. Another event is another thread. */
function joinThread<T extends AnyThread>(known: AnyThread | undefined, answer: T): T {
  if (known?.senderWardenSignInUid !== answer.senderWardenSignInUid) return answer
  return { ...answer, messages: joinMessages(known.messages, answer.messages) }
}

/** The newer word about a message counts; by id, oldest first. */
function joinMessages(known: readonly Message[], newer: readonly Message[]): Message[] {
  const byId = new Map([...known, ...newer].map((message) => [message.messageId, message]))
  return [...byId.values()].sort((a, b) => a.messageId - b.messageId)
}

export const withMessages =
  (sent: readonly Message[]) =>
  <T extends AnyThread>(thread: T | undefined): T | undefined =>
    thread && { ...thread, messages: joinMessages(thread.messages, sent) }
