import type { getCommand } from '@evac/contract/calls/command/command.ts'
import type { CommandTurnUid, SignInUid } from '@evac/contract/ids.ts'
import * as limits from '@evac/contract/limits.ts'
import type { CallReply } from '@evac/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/api.ts'
import type { Extras } from '../../session/use-keyed-send.ts'

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
