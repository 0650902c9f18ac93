import type { TextRow } from '../evidence/final-state.ts'
import type { Copy, Fault } from '../evidence/history.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** Texts of this kind are about the end, and go out after it. */
const conclusion = 'event_concluded'
/** What a worker had in its hands when the event ended may still leave, for so long. */
const inHandsMs = 10_000
/** A worker that was killed holds its texts for so long. */
const leaseMs = 15_000
const passedOn = new Set(['handed_over', 'delivered', 'unconfirmed'])

/**
 * I4: whoever is to be told is told: what the product calls sent was taken by the provider, nothing waits for ever, nothing
 * leaves late, and a second copy has a fault to explain it.
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
    // the provider turns nobody down for good, and no fault lasts as long as a text is valid
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
  for (const name of copies.keys()) inquiry.check(known.has(name), `the provider has a text that nobody wrote: ${name}`)
  return inquiry.verdict
}

/** The number, and the mark that no two messages of the run share. */
const nameOf = (to: string, body: string) => `${to} ${/#\d+/.exec(body)?.[0] ?? body}`

function faultsAround(faults: readonly Fault[], text: TextRow, sent: readonly Copy[]): number {
  const last = Math.max(...sent.map(({ at }) => at))
  return faults.filter(({ startedAt, endedAt }) => startedAt <= last && endedAt + leaseMs >= text.createdAt / 1000)
    .length
}

/** A line that was held back lets its bytes go when it is healed. */
function delayedBy(faults: readonly Fault[], at: number): number {
  const around = faults.filter(({ startedAt, endedAt }) => startedAt <= at && endedAt + leaseMs >= at)
  return around.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0)
}
