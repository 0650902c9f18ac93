import type { BoardCommand, BoardInstruction } from '#features/board/calls/board.ts'
import type { BuildingUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { InstructionKind } from '../kinds.ts'
import { type EventOf, findCurrentTurn, findLastTurn } from './command.queries.ts'
import { listSent, listTold, type ToldRow } from './instruction.queries.ts'

export interface InCommand {
  personUid: PersonUid
  name: string
  role: string
  phone: string | null
  /** When the leader was heard last. Null while the leader is heard. */
  silentSince: Date | null
}

/** Who leads the event, or who led when it ended. Null if no one does or did. */
export async function findInCommand(db: Db, event: EventOf, hasEnded: boolean): Promise<InCommand | null> {
  const turn = await (hasEnded ? findLastTurn : findCurrentTurn)(db, event)
  if (!turn?.leader) return null
  const { personUid, name, role, phone } = turn.leader
  return { personUid, name, role, phone, silentSince: turn.silentAt }
}

/** Instructions that can be the newest of a floor. */
const mostCurrent = 200

export interface ForBoard {
  command?: BoardCommand
  instruction?: BoardInstruction
  /** The newest instruction of a place, where current instructions differ. */
  toldAt: (place: FloorUid | BuildingUid) => InstructionKind | undefined
}

/** What a board shows of command and instructions. Times are seconds of the event. */
export async function forBoard(db: Db, event: EventOf, secondsOf: (at: Date) => number): Promise<ForBoard> {
  const turn = await findCurrentTurn(db, event)
  const [newest] = await listSent(db, event, { most: 1 })
  const told = newest ? await listTold(db, event, mostCurrent) : []
  return {
    ...(turn && {
      command: {
        turn: turn.uid,
        name: turn.leader?.name ?? null,
        role: turn.leader?.role ?? null,
        since: secondsOf(turn.since),
        ...(turn.leader && turn.silentAt && { silent_since: secondsOf(turn.silentAt) }),
      },
    }),
    ...(newest && {
      instruction: {
        uid: newest.uid,
        kind: newest.kind,
        by: newest.by,
        at: secondsOf(newest.at),
        understood: newest.understood,
        meant: newest.meant,
      },
    }),
    toldAt: toldBy(told),
  }
}

/** Nothing is told apart while one instruction for all floors is the newest. */
function toldBy(told: readonly ToldRow[]): ForBoard['toldAt'] {
  const kindOf = new Map<string | null, InstructionKind>(told.map(({ floor, kind }) => [floor, kind]))
  const general = kindOf.get(null)
  if (kindOf.size === (general ? 1 : 0)) return () => undefined
  return (place) => kindOf.get(place) ?? general
}
