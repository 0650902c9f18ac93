import type { SignInUid } from '#kernel/ids.ts'
import type { Fact, Participation } from './facts.queries.ts'
import { type Span, within } from './spans.ts'

const attendance: Record<string, true> = {
  warden_reported_in: true,
  warden_rejoined: true,
  warden_not_available: true,
  warden_off_duty: true,
  warden_removed: true,
  assignment_ended: true,
}

/** When each warden was on duty, and what they answered. */
export type Duties = ReturnType<typeof openDuties>

export function openDuties() {
  const spans = new Map<string, Span[]>()
  const answers: { signIn: SignInUid; at: number; isOn: boolean }[] = []
  let latest = 0
  return {
    /** Times follow the order of the journal. */
    take(fact: Fact) {
      if (!attendance[fact.action]) return
      latest = Math.max(latest, fact.recorded)
      const now = fact.after?.attendance
      if (now === 'on_duty' || now === 'not_available')
        answers.push({ signIn: fact.subject as SignInUid, at: latest, isOn: now === 'on_duty' })
      const own = spans.get(fact.subject) ?? []
      spans.set(fact.subject, own)
      const last = own.at(-1)
      const isOn = last?.to === Number.POSITIVE_INFINITY
      if (now === 'on_duty' && !isOn) own.push({ from: latest, to: Number.POSITIVE_INFINITY })
      if (now !== 'on_duty' && isOn) last.to = latest
    },
    of: (signIn: string): readonly Span[] => spans.get(signIn) ?? [],
    answers: answers as readonly (typeof answers)[number][],
  }
}

export interface Answers {
  total: number
  reportedIn: number
  notAvailable: number
  /** When each of them first answered, in seconds since the start and in order. */
  at: number[]
}

/** What the wardens of the part from `from` to `to` answered in it. Who was on duty when it began had answered then. */
export function answersOf(wardens: readonly Participation[], duties: Duties, { from, to }: Span): Answers {
  const ofPart = wardens.filter(({ created, closed }) => created <= to && (closed === null || closed >= from))
  const given = Map.groupBy(
    duties.answers.filter(({ at }) => at >= from && at <= to),
    ({ signIn }) => signIn,
  )
  const told = ofPart.map(({ signIn }) => {
    const wasOn = duties.of(signIn).some((span) => span.from <= from && from < span.to)
    const own = given.get(signIn) ?? []
    return {
      cameOn: wasOn || own.some(({ isOn }) => isOn),
      at: wasOn ? from : (own[0]?.at ?? null),
    }
  })
  const answered = told.filter((one): one is (typeof told)[number] & { at: number } => one.at !== null)
  const reportedIn = answered.filter(({ cameOn }) => cameOn).length
  return {
    total: ofPart.length,
    reportedIn,
    notAvailable: answered.length - reportedIn,
    at: answered.map(({ at }) => at).toSorted((a, b) => a - b),
  }
}

/** Until this share of all had answered. Null: fewer did. */
export const timeToShare = ({ at, total }: Answers, share: number): number | null =>
  total === 0 ? null : (at[Math.ceil(total * share) - 1] ?? null)

/** The spans of duty within others. */
export const dutyWithin = (duty: readonly Span[], others: readonly Span[]): Span[] =>
  duty.flatMap((span) => within(span, others))
