import type { SignInUid } from '#kernel/ids.ts'

/** A shorter pause is none. */
const leastSeconds = 90

/** Seconds since the start. Null: to the end. */
export interface Gap {
  from: number
  to: number | null
}
interface Told {
  /** Changes of attendance in their order. */
  attendance: readonly { signInUid: SignInUid; at: number; to: string | null }[]
  /** When each warden's phone was last seen. Wardens whose phone was never seen are absent. */
  lastSeen: ReadonlyMap<SignInUid, number>
  /** Gaps that ended during the event. */
  regained: readonly { signInUid: SignInUid; from: number; to: number }[]
  end: number
}
export interface ContactGaps {
  /** Of single wardens, without the time when no one had contact. */
  gaps: ({ signInUid: SignInUid } & Gap)[]
  /** No one on duty had contact. */
  service: Gap[]
  /** Wardens who were out of contact, also by a gap of the service, and those who were so at the end. */
  wardens: number
  toTheEnd: number
}

/** When wardens on duty were out of contact for more than 90 s. */
export function contactGapsOf({ attendance, lastSeen, regained, end }: Told): ContactGaps {
  const duties = dutiesOf(attendance)
  const all = [
    ...regained.map(({ signInUid, from, to }) => ({ signInUid, from: Math.max(0, from), to: Math.min(to, end) })),
    ...[...duties].flatMap(([signInUid, times]) => {
      // of earlier times on duty nothing is known but the gaps that ended
      const last = times.at(-1)
      if (!last) return []
      const from = Math.max(last.from, lastSeen.get(signInUid) ?? 0)
      return [{ signInUid, from, to: last.to }]
    }),
  ].filter((gap) => isLong(gap, end))
  const service = whenNobody([...duties.values()].flat(), all, end)
  const gaps = all.flatMap(({ signInUid, ...gap }) =>
    without(gap, service, end).map((piece) => ({ signInUid, ...piece })),
  )
  return {
    gaps: gaps.toSorted((a, b) => a.from - b.from),
    service,
    wardens: new Set(all.map(({ signInUid }) => signInUid)).size,
    toTheEnd: new Set(all.flatMap(({ signInUid, to }) => (to === null ? [signInUid] : []))).size,
  }
}

const isLong = ({ from, to }: Gap, end: number) => (to ?? end) - from > leastSeconds

/** The times on duty of each warden, in their order. */
function dutiesOf(attendance: Told['attendance']): Map<SignInUid, Gap[]> {
  const duties = new Map<SignInUid, Gap[]>()
  for (const { signInUid, at, to } of attendance) {
    const times = duties.get(signInUid) ?? []
    duties.set(signInUid, times)
    const last = times.at(-1)
    const isOn = last !== undefined && last.to === null
    if (to === 'on_duty' && !isOn) times.push({ from: at, to: null })
    if (to !== 'on_duty' && isOn) last.to = at
  }
  return duties
}

/** When all who were on duty were out of contact, for long. */
function whenNobody(duties: readonly Gap[], gaps: readonly Gap[], end: number): Gap[] {
  const steps: { at: number; reached: number; gaps?: number }[] = [
    ...duties.flatMap(({ from, to }) => [{ at: from, reached: 1 }, ...(to === null ? [] : [{ at: to, reached: -1 }])]),
    ...gaps.flatMap(({ from, to }) => [
      { at: from, reached: -1, gaps: 1 },
      ...(to === null ? [] : [{ at: to, reached: 1, gaps: -1 }]),
    ]),
  ].toSorted((a, b) => a.at - b.at)
  const found: Gap[] = []
  let [reached, out] = [0, 0]
  let from: number | null = null
  for (const [index, step] of steps.entries()) {
    reached += step.reached
    out += step.gaps ?? 0
    if (steps[index + 1]?.at === step.at) continue
    const isNobody = out > 0 && reached <= 0
    if (isNobody) from ??= step.at
    else if (from !== null) {
      found.push({ from, to: step.at })
      from = null
    }
  }
  if (from !== null) found.push({ from, to: null })
  return found.filter((gap) => isLong(gap, end))
}

/** The long pieces of a gap that are not of the service. */
function without(gap: Gap, service: readonly Gap[], end: number): Gap[] {
  let pieces = [gap]
  for (const { from, to } of service)
    pieces = pieces.flatMap((piece) => {
      const before = { from: piece.from, to: Math.min(piece.to ?? end, from) }
      const after = { from: Math.max(piece.from, to ?? end), to: piece.to }
      const overlaps = piece.from < (to ?? end) && from < (piece.to ?? end)
      return overlaps ? [before, after] : [piece]
    })
  return pieces.filter((piece) => isLong(piece, end))
}
