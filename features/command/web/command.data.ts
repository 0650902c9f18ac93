import { queryOptions } from '@tanstack/react-query'
import type { CommandTurnUid, SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { call } from '#web/session/api.ts'
import type { Extras } from '#web/session/use-keyed-send.ts'
import type { getCommand } from '../calls/command.ts'

export type CommandState = CallReply<typeof getCommand>

export const commandQuery = queryOptions({
  queryKey: ['command', 'state'],
  queryFn: ({ signal }) => call('GET /api/event/command', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['attendance', 'event'] },
})

export interface HandOver {
  turn: CommandTurnUid
  to: SignInUid
  note: string
}

export const handOver = (body: HandOver, extras: Extras) => call('POST /api/event/command/hand-over', { body }, extras)
export const takeCommand = (turn: CommandTurnUid, extras: Extras) =>
  call('POST /api/event/command/take', { body: { turn } }, extras)
