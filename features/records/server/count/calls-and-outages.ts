import type { Duties } from './duties.ts'
import type { Fact, FloorRow, Participation } from './facts.queries.ts'
import { joined, type Span, within } from './spans.ts'

/** Seconds since the start between the sighting and the record that make it late. */
const lateSeconds = 30

/** Records of phones that came late, overruled ones too. */
export function lateOf(facts: readonly Fact[], { from, to }: Span): { records: number; longest: number } {
  const delays = facts.flatMap(({ seen, recorded }) =>
    seen !== null && from <= recorded && recorded <= to && recorded - seen > lateSeconds ? [recorded - seen] : [],
  )
  return { records: delays.length, longest: Math.max(0, ...delays) }
}

/**
 * Calls for help that came in the part: how many were answered in it, in any way, and the median time to the answer. Help by a
 * personal link is a person in danger. A further text of an open call is the same call. Of calls beyond the limit of a network
 * nothing but their number was kept, so none was answered; `untold` of them are in no entry yet.
 */
export function helpOf(facts: readonly Fact[], { from, to }: Span, untold: number) {
  const calls = new Map<unknown, { at: number; answered: number | null }>()
  let more = untold
  for (const { action, recorded, after } of facts) {
    if (recorded > to) continue
    if (isCall({ action, after }) && recorded >= from && !calls.has(after?.report))
      calls.set(after?.report, { at: recorded, answered: null })
    if (action === 'calls_for_help_counted' && recorded >= from) more += Number(after?.more ?? 0)
    const call = action === 'self_report_handled' ? calls.get(after?.report) : undefined
    if (call) call.answered ??= recorded - call.at
  }
  const answers = [...calls.values()].flatMap(({ answered }) => answered ?? []).toSorted((a, b) => a - b)
  const all = calls.size + more
  return {
    calls: all,
    answered: answers.length,
    open: all - answers.length,
    half: answers[Math.ceil(answers.length / 2) - 1] ?? null,
  }
}

/** An entry of someone who calls for help by poster, text or telephone. */
export const isCall = ({ action, after }: Pick<Fact, 'action' | 'after'>): boolean =>
  action === 'self_report_made' && after?.says === 'help' && after.way !== 'link'

interface Meaning {
  wardens: readonly Participation[]
  duties: Duties
  /** Where wardens were, as they took places. */
  taken: readonly (Span & { signIn: string; floor: FloorRow })[]
  /** The floors of an instruction. Null: all. */
  floorsOf: ReadonlyMap<string, readonly string[] | null>
}

/** Instructions of the part, the confirmations that wardens on duty whom they meant were to send, and those that came. */
export function instructionsOf(
  facts: readonly Fact[],
  { from, to }: Span,
  { wardens, duties, taken, floorsOf }: Meaning,
) {
  const sent = facts.filter(
    ({ action, recorded }) => action === 'instruction_sent' && from <= recorded && recorded <= to,
  )
  const confirmed = Map.groupBy(
    facts.filter(({ action, recorded }) => action === 'instruction_understood' && recorded <= to),
    ({ after }) => after?.instruction_uid,
  )
  let [expected, arrived] = [0, 0]
  for (const { actor: sender, recorded, after } of sent) {
    const floors = floorsOf.get(String(after?.instruction_uid)) ?? null
    const answered = new Set((confirmed.get(after?.instruction_uid) ?? []).map(({ actor }) => actor))
    const holds = (signIn: string) =>
      taken.some(
        (one) =>
          one.signIn === signIn && one.from <= recorded && recorded < one.to && floors?.includes(one.floor.floor),
      )
    const meant = wardens.filter(
      ({ signIn, isEverywhere, floors: own }) =>
        signIn !== sender &&
        duties.of(signIn).some((duty) => duty.from <= recorded && recorded < duty.to) &&
        (floors === null || isEverywhere || own.some((floor) => floors.includes(floor)) || holds(signIn)),
    )
    arrived += answered.size
    expected += new Set([...meant.map(({ signIn }) => signIn), ...answered]).size
  }
  return { sent: sent.length, expected, arrived }
}

/** When the server, or what brings live updates, did not work in the part. */
export function outagesOf(facts: readonly Fact[], part: Span, secondsOf: (iso: unknown) => number | null) {
  const told = facts.flatMap(({ action, after }) => {
    const [from, to] = [secondsOf(after?.from), secondsOf(after?.to)]
    return action === 'service_gap' && from !== null && to !== null ? [{ from, to, what: after?.what }] : []
  })
  const of = (what: string) => joined(told.filter((one) => one.what === what).flatMap((gap) => within(gap, [part])))
  return { server: of('server'), feed: of('feed') }
}
