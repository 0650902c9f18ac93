/** One try of one call. `unknown`: no answer came, so nobody can say whether it took effect. Milliseconds of one clock. */
export interface Try {
  startedAt: number
  endedAt: number
  outcome: 'ok' | 'fail' | 'unknown'
  /** The refusal's code, or why there was no answer. */
  code: string
}

export type WriteKind = 'status' | 'refusal' | 'floor status' | 'report in' | 'start' | 'extend' | 'shrink' | 'end'

/** Something that somebody wants done once, however often it is sent: all its tries carry the same key. */
export interface Write {
  who: string
  organisation: string
  personUid: string
  kind: WriteKind
  key: string
  /** The evacuee or floor it is about. */
  subject: string | null
  /** The status wanted. */
  wanted: string | null
  /** When the person with the phone saw or wanted it. */
  seenAt: number
  tries: Try[]
  /** What the server answered in the end. */
  reply: Record<string, unknown> | null
}

/** What one phone heard on one channel, without a gap from `from` on. A gap that it was told of begins another one. */
export interface Listening {
  who: string
  organisation: string
  channel: string
  /** Offset at which the subscription began: everything after it is to come. */
  from: number
  /** When the server said so: what is recorded later is to come, whatever its offset. */
  since: number
  offsets: number[]
  /** It was still listening when all had come to rest: nothing may be missing, up to the last. */
  isComplete: boolean
}

/** A subscription that came back and was told that something is missing. */
export interface Gap {
  who: string
  channel: string
  lastSeen: number
  resumedAt: number
  epochChanged: boolean
}

/** A text as the provider took it. */
export interface Copy {
  to: string
  body: string
  at: number
}

export interface Fault {
  kind: string
  startedAt: number
  endedAt: number
  /** Milliseconds from its end until the product served again; null while it did not. */
  recoveredIn: number | null
  /** Milliseconds that it may take. */
  recoveryLimit: number
  /** Which part served last. */
  lastPart: string
}

/** Ids that an organisation's phones were shown. */
export type Shown = Map<string, Set<string>>

/** Everything that was seen from outside. The checker needs this and the database, nothing else. */
export class History {
  readonly writes: Write[] = []
  readonly listenings: Listening[] = []
  readonly gaps: Gap[] = []
  readonly copies: Copy[] = []
  readonly faults: Fault[] = []
  readonly shown: Shown = new Map()
  reads = 0

  show(organisation: string, answer: unknown): void {
    const ids = this.shown.get(organisation) ?? new Set()
    for (const [id] of JSON.stringify(answer ?? null).matchAll(uuid)) ids.add(id)
    this.shown.set(organisation, ids)
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** How it ended for the phone: the last try decides, but an unanswered one before a refusal may have taken effect. */
export function outcomeOf({ tries }: Pick<Write, 'tries'>): Try['outcome'] {
  const last = tries.at(-1)?.outcome ?? 'unknown'
  return last === 'fail' && tries.some(({ outcome }) => outcome === 'unknown') ? 'unknown' : last
}

/** Whether the phone was left without any answer. */
export const isOpen = ({ tries }: Pick<Write, 'tries'>) => (tries.at(-1)?.outcome ?? 'unknown') === 'unknown'
