import type { FloorUid, SignInUid } from '@evac/contract/ids.ts'
import type { listAttendance, listParticipations } from './figures.queries.ts'

type Attendance = Awaited<ReturnType<typeof listAttendance>>[number]
type Participation = Awaited<ReturnType<typeof listParticipations>>[number]

interface FloorCoverage {
  wardens: Set<SignInUid>
  onDuty: number
  firstCovered: number | null
  /** Null: covered to the end, or never. */
  lastCovered: number | null
}

export interface Coverage {
  /** From each moment on, so many floors had a warden on duty. */
  steps: [number, number][]
  /** RPL-01: when a floor got its first warden, and when its last one left. */
  changes: { placeUid: FloorUid; seconds: number; isCovered: boolean }[]
  floors: Map<FloorUid, Omit<FloorCoverage, 'onDuty'>>
}

/** AAR-15: which floors had a warden on duty of their own, and when. Site wardens are not counted, they are everywhere. */
export function coverageOf(
  floors: readonly FloorUid[],
  participations: readonly Participation[],
  attendance: readonly Attendance[],
): Coverage {
  const byFloor = new Map<FloorUid, FloorCoverage>(
    floors.map((uid) => [uid, { wardens: new Set(), onDuty: 0, firstCovered: null, lastCovered: null }]),
  )
  const floorsOf = new Map(participations.map(({ signInUid, floorUids }) => [signInUid, floorUids]))
  const present = new Set<SignInUid>()
  const steps: [number, number][] = []
  const changes: Coverage['changes'] = []
  let covered = 0
  for (const { signInUid, at, to } of attendance) {
    const isOn = to === 'on_duty'
    if (isOn === present.has(signInUid)) continue
    if (isOn) present.add(signInUid)
    else present.delete(signInUid)
    for (const uid of floorsOf.get(signInUid) ?? []) {
      const floor = byFloor.get(uid)
      if (!floor) continue
      floor.wardens.add(signInUid)
      floor.onDuty += isOn ? 1 : -1
      if (floor.onDuty === (isOn ? 1 : 0)) changes.push({ placeUid: uid, seconds: at, isCovered: isOn })
      if (isOn && floor.onDuty === 1) {
        covered++
        floor.firstCovered ??= at
        floor.lastCovered = null
      }
      if (!isOn && floor.onDuty === 0) {
        covered--
        floor.lastCovered = at
      }
    }
    if (steps.at(-1)?.[1] !== covered) steps.push([at, covered])
  }
  return { steps, changes, floors: byFloor }
}

/** AAR-15: the first answer of each warden, in or not available, in seconds and in order. */
export function answersOf(attendance: readonly Attendance[]): number[] {
  const first = new Map<SignInUid, number>()
  for (const { signInUid, at, to } of attendance)
    if ((to === 'on_duty' || to === 'not_available') && !first.has(signInUid)) first.set(signInUid, at)
  return [...first.values()].toSorted((a, b) => a - b)
}

/** Seconds until this share of all had answered. Null: fewer did. */
export function timeToShare(answers: readonly number[], all: number, share: number): number | null {
  return all === 0 ? null : (answers[Math.ceil(all * share) - 1] ?? null)
}
