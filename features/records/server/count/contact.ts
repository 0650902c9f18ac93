import type { SignInUid } from '#kernel/ids.ts'
import { type Duties, dutyWithin } from './duties.ts'
import type { Fact, Participation } from './facts.queries.ts'
import { joined, lengthOf, type Span, within, without } from './spans.ts'

/** A shorter pause is none. */
const leastSeconds = 90
const isLong = (span: Span) => lengthOf(span) > leastSeconds

/** When phones came back after a gap, and when they were in contact because they recorded something. */
export type ContactTold = ReturnType<typeof openContactTold>

export function openContactTold() {
  const gaps: (Span & { signIn: string })[] = []
  const heard = new Map<string, number[]>()
  return {
    /** `secondsOf` reads a time of an entry. The request that ends the event closes no gap. */
    take(
      { action, subject, actor, byPhone, recorded, before, after }: Fact,
      secondsOf: (iso: unknown) => number | null,
    ) {
      if (action === 'contact_regained') {
        const [from, to] = [secondsOf(before?.seen_at), secondsOf(after?.seen_at)]
        if (from !== null && to !== null) gaps.push({ signIn: subject, from, to })
      } else if (actor && byPhone && action !== 'event_ended') {
        const own = heard.get(actor) ?? []
        heard.set(actor, own)
        own.push(recorded)
      }
    },
    gaps: gaps as readonly (typeof gaps)[number][],
    heard: (signIn: string): readonly number[] => heard.get(signIn) ?? [],
  }
}

export interface ContactGaps {
  /** Of single wardens, without the time in which no one had contact, in order. */
  gaps: (Span & { signIn: SignInUid })[]
  /** No one on duty had contact. */
  nobody: Span[]
}

/** When wardens on duty were out of contact for more than 90 s. Null: the contact of phones was not noted. */
export function contactGapsOf(
  wardens: readonly Participation[],
  duties: Duties,
  told: ContactTold,
  { part, outages }: { part: Span; outages: readonly Span[] },
): ContactGaps | null {
  if (wardens.every(({ lastSeen }) => lastSeen === null)) return null
  const own = wardens.map(({ signIn, lastSeen }) => {
    const duty = dutyWithin(duties.of(signIn), [part])
    return { signIn, duty, gaps: gapsOf(signIn, duty, lastSeen, told, part) }
  })
  const nobody = timesOfNobody(own)
  const noOnes = joined([...nobody, ...outages])
  return {
    nobody: nobody.filter(isLong),
    gaps: own
      .flatMap(({ signIn, gaps }) =>
        gaps.flatMap((gap) =>
          without(gap, noOnes)
            .filter(isLong)
            .map((piece) => ({ ...piece, signIn })),
        ),
      )
      .toSorted((a, b) => a.from - b.from),
  }
}

/** The gaps of one warden: those that ended, and the one at the end of the last duty. Of earlier duties nothing else is known. */
function gapsOf(signIn: string, duty: readonly Span[], lastSeen: number | null, told: ContactTold, part: Span): Span[] {
  const heard = told.heard(signIn)
  const last = duty.at(-1)
  const ended = told.gaps.filter((gap) => gap.signIn === signIn)
  const open = last ? [{ from: Math.max(last.from, lastSeen ?? 0), to: last.to }] : []
  return joined(
    [...ended, ...open]
      .filter(({ from, to }) => from < to)
      .flatMap((gap) => dutyWithin(duty, [gap]))
      .flatMap((gap) => between(gap, heard))
      .filter(isLong)
      .flatMap((gap) => within(gap, [part])),
  )
}

/** A gap in pieces, where the phone was heard in it. */
const between = (gap: Span, heard: readonly number[]): Span[] => {
  const at = [gap.from, ...heard.filter((one) => gap.from < one && one < gap.to).toSorted((a, b) => a - b), gap.to]
  return at.slice(1).map((to, nth) => ({ from: at[nth] ?? to, to }))
}

/** When someone was on duty, and all who were had a gap. */
function timesOfNobody(wardens: readonly { duty: readonly Span[]; gaps: readonly Span[] }[]): Span[] {
  const reached = joined(wardens.flatMap(({ duty, gaps }) => duty.flatMap((span) => without(span, gaps))))
  return joined(wardens.flatMap(({ gaps }) => gaps)).flatMap((gap) => without(gap, reached))
}
