import type { SignInUid } from '#kernel/ids.ts'
import type { BriefCommand } from '../calls/command.ts'
import { handOverMs, wholeChainMs } from '../kinds.ts'
import type { ChainRow, CurrentTurn } from './command.queries.ts'

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/**
 * Why the reader is asked to take command, and from when: the first of the chain at once, the others 2
 * minutes later. Null for the leader, and for who is not of the chain.
 */
export function askedToTake(turn: CurrentTurn, chain: readonly ChainRow[], reader: SignInUid): BriefCommand['take'] {
  const { leader, silentAt, askedAt, askedNote } = turn
  if (turn.askedSignInUid === reader && askedAt && leader)
    return {
      why: 'asked',
      from: askedAt.toISOString(),
      name: leader.name,
      note: askedNote,
      until: later(askedAt, handOverMs).toISOString(),
    }
  const others = chain.filter(({ personUid }) => personUid !== leader?.personUid)
  const place = others.findIndex(({ wardenSignInUid }) => wardenSignInUid === reader)
  const since = leader ? silentAt && later(silentAt, turn.commandMinutes * 60_000) : turn.since
  if (place < 0 || !since) return null
  return {
    why: leader ? 'silent' : 'vacant',
    from: later(since, place === 0 ? 0 : wholeChainMs).toISOString(),
    name: turn.lastName,
    note: null,
    until: null,
  }
}
