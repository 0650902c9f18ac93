import type { Board } from '#features/board/calls/board.ts'

/**
 * One try of one call. `unknown`: no answer came, so the call may or may not have taken effect. Times in ms of one
 * clock.
 */
export interface Try {
  startedAt: number
  endedAt: number
  outcome: 'ok' | 'fail' | 'unknown'
  /** The error code, or why there was no answer. */
  code: string
}

export type WriteKind = 'status' | 'refusal' | 'floor status' | 'report in' | 'start' | 'extend' | 'shrink' | 'end'

/** A change that a person wants once. All its tries carry the same key. */
export interface Write {
  who: string
  organisation: string
  personUid: string
  kind: WriteKind
  key: string
  /** The evacuee or floor. */
  subject: string | null
  /** The status wanted. */
  wanted: string | null
  /** When the person with the phone observed or wanted it. Milliseconds since 1970. */
  seenAt: number
  tries: Try[]
  /** What the server answered in the end. */
  reply: Record<string, unknown> | null
  /** The server said after the end of the event that it keeps this (AAR-22). */
  isKeptLate?: boolean
}

/** What one phone heard on one channel without a gap. After an announced gap a new Listening begins. */
export interface Listening {
  who: string
  organisation: string
  channel: string
  /** The offset at the start of the subscription. Every later publication is due. */
  from: number
  /** When the subscription started. Every change recorded later is due, whatever its offset. */
  since: number
  offsets: number[]
  /** By offset: whom and what the publication named. It may tell of earlier transactions, too. */
  named: Map<number, ReadonlySet<string> | 'any'>
  /** True if the phone was listening when nothing was pending any more. Then no publication may be missing. */
  isComplete: boolean
}

/** A subscription that was told on its return that publications are missing. */
export interface Gap {
  who: string
  channel: string
  lastSeen: number
  resumedAt: number
  epochChanged: boolean
}

/** A text that the provider has accepted. */
export interface Copy {
  to: string
  body: string
  at: number
}

export interface Fault {
  kind: string
  startedAt: number
  endedAt: number
  /** Milliseconds from the end of the fault until the product served again. Null if it did not. */
  recoveredIn: number | null
  /** The longest acceptable recovery in milliseconds. */
  recoveryLimit: number
  /** The part that recovered last. */
  lastPart: string
}

/** The newest offset that a phone of an organisation has heard on the channel of an event. */
export interface Heard {
  channel: string
  offset: number
}

/** An answer of the command board, and what had been heard when it was asked for. */
export interface BoardRead {
  reader: string
  /** Answers of one number came one after the other, without one that was lost or refused. */
  connection: number
  since: Heard | undefined
  board: Board
}

/** The ids that the phones of each organisation were shown. */
export type Shown = Map<string, Set<string>>

/** Everything that clients and the provider saw. The checker needs this and the database only. */
export class History {
  readonly writes: Write[] = []
  readonly listenings: Listening[] = []
  readonly gaps: Gap[] = []
  readonly copies: Copy[] = []
  readonly faults: Fault[] = []
  readonly boards: BoardRead[] = []
  readonly shown: Shown = new Map()
  reads = 0

  /** Of the event whose channel was opened last. Undefined if nothing was heard there. */
  newestHeard(organisation: string): Heard | undefined {
    const own = this.listenings.filter((one) => one.organisation === organisation && one.channel.startsWith('event:'))
    const channel = own.at(-1)?.channel
    const offsets = own.flatMap((one) => (one.channel === channel ? one.offsets.slice(-1) : []))
    return channel !== undefined && offsets.length > 0 ? { channel, offset: Math.max(...offsets) } : undefined
  }

  show(organisation: string, answer: unknown): void {
    const ids = this.shown.get(organisation) ?? new Set()
    for (const [id] of JSON.stringify(answer ?? null).matchAll(uuid)) ids.add(id)
    this.shown.set(organisation, ids)
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * The outcome for the phone. The last try decides, except that an unanswered try before a rejection may have taken
 * effect.
 */
export function outcomeOf({ tries }: Pick<Write, 'tries'>): Try['outcome'] {
  const last = tries.at(-1)?.outcome ?? 'unknown'
  return last === 'fail' && tries.some(({ outcome }) => outcome === 'unknown') ? 'unknown' : last
}

/** True if the phone has no answer. */
export const isOpen = ({ tries }: Pick<Write, 'tries'>) => (tries.at(-1)?.outcome ?? 'unknown') === 'unknown'
