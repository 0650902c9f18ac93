import type { FloorUid, SignInUid } from '#kernel/ids.ts'
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
  /** When a floor got its first warden, and when its last one left. */
  changes: { placeUid: FloorUid; seconds: number; isCovered: boolean }[]
  floors: Map<FloorUid, Omit<FloorCoverage, 'onDuty'>>
}

/** A floor that a warden looked after for a time, in seconds. Null: to the end. */
export interface Post {
  signInUid: SignInUid
  floorUid: FloorUid
  from: number
  to: number | null
}

/**
 * Which floors had a warden on duty, of their own or one who had taken them, and when. Site wardens are not
 * counted, they are everywhere.
 */
export function coverageOf(
  floors: readonly FloorUid[],
  participations: readonly Participation[],
  attendance: readonly Attendance[],
  taken: readonly Post[],
): Coverage {
  const byFloor = new Map<FloorUid, FloorCoverage>(
    floors.map((uid) => [uid, { wardens: new Set(), onDuty: 0, firstCovered: null, lastCovered: null }]),
  )
  const steps: [number, number][] = []
  const changes: Coverage['changes'] = []
  let covered = 0
  for (const { signInUid, at, isOn, floorUids } of changesOf(participations, attendance, taken)) {
    for (const uid of floorUids) {
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

interface Change {
  signInUid: SignInUid
  at: number
  isOn: boolean
  floorUids: readonly FloorUid[]
}

/** When wardens came to their own floors and to those that they took, and when they left them, in the order of time. */
function changesOf(
  participations: readonly Participation[],
  attendance: readonly Attendance[],
  taken: readonly Post[],
): Change[] {
  const floorsOf = new Map(participations.map(({ signInUid, floorUids }) => [signInUid, floorUids]))
  const own = dutyOf(attendance).map((change) => ({ ...change, floorUids: floorsOf.get(change.signInUid) ?? [] }))
  const held = taken.flatMap(({ signInUid, floorUid, from, to }): Change[] => [
    { signInUid, at: from, isOn: true, floorUids: [floorUid] },
    ...(to === null ? [] : [{ signInUid, at: to, isOn: false, floorUids: [floorUid] }]),
  ])
  return [...own, ...held].toSorted((a, b) => a.at - b.at)
}

/** Who came on duty or left, in the order of the journal. Its times follow that order, or a sort would turn two around. */
function dutyOf(attendance: readonly Attendance[]): Omit<Change, 'floorUids'>[] {
  const present = new Set<SignInUid>()
  let latest = 0
  return attendance.flatMap(({ signInUid, at, to }) => {
    const isOn = to === 'on_duty'
    if (isOn === present.has(signInUid)) return []
    if (isOn) present.add(signInUid)
    else present.delete(signInUid)
    latest = Math.max(latest, at)
    return [{ signInUid, at: latest, isOn }]
  })
}

/** A claim ends when its warden leaves duty, too. */
export function takenUntil<Claimed extends Post>(
  claims: readonly Claimed[],
  attendance: readonly Attendance[],
): Claimed[] {
  const left = Map.groupBy(
    dutyOf(attendance).filter(({ isOn }) => !isOn),
    ({ signInUid }) => signInUid,
  )
  return claims.map((claim) => {
    const gone = left.get(claim.signInUid)?.find(({ at }) => at >= claim.from)?.at
    const ends = [claim.to, gone].filter((at) => at !== null && at !== undefined)
    return { ...claim, to: ends.length === 0 ? null : Math.min(...ends) }
  })
}

/** The first answer of each warden, in or not available, in seconds and in order. */
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
