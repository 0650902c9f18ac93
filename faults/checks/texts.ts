import type { TextRow } from '../evidence/final-state.ts'
import type { Copy, Fault } from '../evidence/history.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** Texts of this kind announce the end and leave after it. */
const conclusion = 'event_concluded'
/** Texts that a worker has claimed before the end of the event may leave for so long after it. */
const inHandsMs = 10_000
/** A killed worker's claim on its texts ends after this time. */
const leaseMs = 15_000
const passedOn = new Set(['handed_over', 'delivered', 'unconfirmed'])

/**
 * I4: the provider has every text that the product calls sent. No text stays queued or leaves late, and a fault
 * explains every second copy.
 */
export function textsArrive({ history, state }: Evidence): Verdict {
  const inquiry = new Inquiry('I4', 'each text goes out once, a second time only by a fault, none after the end')
  const copies = Map.groupBy(history.copies, ({ to, body }) => nameOf(to, body))
  const endedAt = new Map(state.events.map((event) => [event.uid, event.endedAt]))
  const known = new Set<string>()
  for (const text of state.texts) {
    const name = nameOf(text.to ?? '', text.body)
    const sent = copies.get(name) ?? []
    known.add(name)
    inquiry.check(text.status !== 'queued', `a text to ${text.to} still waits`, text.uid)
    // the provider never rejects a text for good, and every text is valid for longer than any fault lasts
    const isGivenUp = text.status === 'failed' || text.status === 'expired'
    inquiry.check(!isGivenUp, `a text to ${text.to} was given up as ${text.status}`, text.uid)
    if (passedOn.has(text.status))
      inquiry.check(sent.length > 0, `a text to ${text.to} is ${text.status}, and the provider never had it`, text.uid)
    const reasons = faultsAround(history.faults, text, sent)
    inquiry.check(
      sent.length <= 1 + reasons,
      `${sent.length} copies went to ${text.to}, with ${reasons} faults meanwhile`,
      text.uid,
    )
    const end = text.kind === conclusion ? null : (endedAt.get(text.eventUid ?? '') ?? null)
    for (const { at } of sent) {
      const grace = inHandsMs + delayedBy(history.faults, at)
      inquiry.check(at <= text.validUntil / 1000 + grace, `a text to ${text.to} left after its time`, text.uid)
      if (end !== null)
        inquiry.check(at <= end / 1000 + grace, `a text to ${text.to} left after the end of its event`, text.uid)
    }
  }
  for (const name of copies.keys()) inquiry.check(known.has(name), `the provider has a text that no one wrote: ${name}`)
  return inquiry.verdict
}

/** The number and the mark in the message, which is unique in a run. */
const nameOf = (to: string, body: string) => `${to} ${/#\d+/.exec(body)?.[0] ?? body}`

function faultsAround(faults: readonly Fault[], text: TextRow, sent: readonly Copy[]): number {
  const last = Math.max(...sent.map(({ at }) => at))
  return faults.filter(({ startedAt, endedAt }) => startedAt <= last && endedAt + leaseMs >= text.createdAt / 1000)
    .length
}

/** A line that holds bytes back delivers them when the fault ends. */
function delayedBy(faults: readonly Fault[], at: number): number {
  const around = faults.filter(({ startedAt, endedAt }) => startedAt <= at && endedAt + leaseMs >= at)
  return around.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0)
}
