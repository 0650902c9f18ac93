import type { SignInUid } from '#kernel/ids.ts'
import type { Duties } from './duties.ts'
import { dutyWithin } from './duties.ts'
import type { Fact, FloorRow, Participation } from './facts.queries.ts'
import type { Histories } from './histories.ts'
import { joined, type Span, within } from './spans.ts'

/** A floor that a warden took, from when to when. */
export interface Taken extends Span {
  signIn: SignInUid
  floor: FloorRow
}

export interface FloorCover {
  /** When which warden was there. */
  wardens: (Span & { signIn: SignInUid })[]
  /** When any was, in order. */
  spans: Span[]
}

/** The floors and buildings that wardens took and gave back, as the journal has it. */
export type Claims = ReturnType<typeof openClaims>

export function openClaims() {
  const claims: { signIn: SignInUid; place: string; from: number; to: number; uid: unknown }[] = []
  return {
    take({ action, actor, subject, recorded, after }: Fact) {
      const uid = after?.claim_uid
      if (action === 'floor_claimed' && actor)
        claims.push({ signIn: actor, place: subject, from: recorded, to: Number.POSITIVE_INFINITY, uid })
      const given = action === 'floor_given_back' && claims.findLast((claim) => claim.uid === uid)
      if (given) given.to = Math.min(given.to, recorded)
    },
    all: claims as readonly (typeof claims)[number][],
  }
}

interface Sources {
  floors: readonly FloorRow[]
  wardens: readonly Participation[]
  duties: Duties
  claims: Claims
  histories: Pick<Histories, 'acts' | 'presence'>
}

/** The span that has begun at a moment and not ended. */
const spanAt = (spans: readonly Span[], at: number) => spans.findLast(({ from, to }) => from <= at && at <= to)

export type Coverage = ReturnType<typeof coverageOf>

/**
 * When each floor had a warden on duty: one of its area, one who had taken it, or a site warden or event manager who acted there.
 * A claim and an act hold until their warden leaves duty or the building the event, and do not begin again.
 */
export function coverageOf({ floors, wardens, duties, claims, histories }: Sources) {
  const byUid = new Map(floors.map((row) => [row.floor as string, row]))
  const covers = new Map<string, FloorCover>(floors.map(({ floor }) => [floor, { wardens: [], spans: [] }]))
  const presenceOf = ({ building }: FloorRow) => histories.presence.get(building) ?? []
  const cover = (floor: string, signIn: SignInUid, spans: readonly Span[]) => {
    const found = covers.get(floor)
    found?.wardens.push(...spans.map((span) => ({ ...span, signIn })))
  }
  /** From a moment of one duty on. */
  const hold = (row: FloorRow, signIn: SignInUid, from: number, recorded: number, to: number): Span[] => {
    const duty = spanAt(duties.of(signIn), recorded)
    const present = spanAt(presenceOf(row), recorded)
    if (!duty || !present) return []
    return within({ from: Math.max(from, duty.from, present.from), to: Math.min(to, duty.to, present.to) }, [always])
  }

  for (const { signIn, floors: own } of wardens)
    for (const floor of own) {
      const row = byUid.get(floor)
      if (row) cover(floor, signIn, dutyWithin(duties.of(signIn), presenceOf(row)))
    }
  const taken = claims.all.flatMap(({ signIn, place, from, to }) =>
    floors
      .filter(({ floor, building }) => floor === place || building === place)
      .flatMap((floor): Taken[] => hold(floor, signIn, from, from, to).map((span) => ({ ...span, signIn, floor }))),
  )
  for (const { signIn, floor, from, to } of taken) cover(floor.floor, signIn, [{ from, to }])
  const roams = new Set(
    wardens.flatMap(({ signIn, isSiteWarden, isManager }) => (isSiteWarden || isManager ? signIn : [])),
  )
  for (const { floor, signIn, at, recorded } of histories.acts) {
    const row = byUid.get(floor)
    if (row && roams.has(signIn as SignInUid))
      cover(floor, signIn as SignInUid, hold(row, signIn as SignInUid, at, recorded, Number.POSITIVE_INFINITY))
  }
  for (const found of covers.values()) found.spans = joined(found.wardens)
  return { covers, taken }
}

const always: Span = { from: 0, to: Number.POSITIVE_INFINITY }

/** From each moment on, so many floors had a warden on duty. The first is that of the beginning, if any had. */
export function coverageSteps(covers: Iterable<FloorCover>, part: Span): [number, number][] {
  const changes = [...covers]
    .flatMap(({ spans }) => spans.flatMap((span) => within(span, [part])))
    .flatMap(({ from, to }) => [{ at: from, by: 1 }, ...(to < part.to ? [{ at: to, by: -1 }] : [])])
    .toSorted((a, b) => a.at - b.at)
  const steps: [number, number][] = []
  let covered = 0
  for (const { at, by } of changes) {
    covered += by
    const last = steps.at(-1)
    if (last?.[0] === at) last[1] = covered
    else steps.push([at, covered])
  }
  return steps.filter(([, now], nth) => now !== (steps[nth - 1]?.[1] ?? 0))
}

/** How many wardens a floor had in the part, and when the first came and the last left. Null: to the end, or never. */
export function coveredIn({ wardens, spans }: FloorCover, part: Span) {
  const own = spans.flatMap((span) => within(span, [part]))
  const [first, last] = [own[0], own.at(-1)]
  return {
    first: first?.from ?? null,
    last: !last || last.to >= part.to ? null : last.to,
    wardens: new Set(wardens.flatMap((span) => (within(span, [part]).length > 0 ? span.signIn : []))).size,
  }
}
