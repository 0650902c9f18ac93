import {
  GatewayRefusal,
  GatewaysAway,
  type Handover,
  noGateway,
  type OutgoingText,
  type SmsGateway,
  TextRejected,
  type TryOutcome,
} from '../sms-gateway.ts'

/** A provider that says nothing for so long is left for the next one: that one is tried within ten seconds. */
const patienceMs = 8_000
/** So many failures one after the other, and a gateway is left alone for a while; then one text tries it. */
const failuresToRest = 3
const restMs = 3_000

export interface Trying {
  patienceMs?: number
  restMs?: number
  onTry?: (gateway: string, outcome: TryOutcome, seconds: number) => void
  /** A gateway failed; the text goes to the next one, or waits. */
  onTrouble?: (error: unknown) => void
  /** A gateway takes texts again: those that wait for it need not wait for the next sweep. */
  onBack?: () => void
}

export interface GatewaysInOrder extends SmsGateway {
  gateways: readonly SmsGateway[]
}

/**
 * Gateways as one: each text goes to the first that works. After an error the next is asked at once, after silence when
 * patience ends; only then can a text reach a phone twice, since who was silent may have taken it.
 */
export function inOrder(gateways: readonly SmsGateway[], trying: Trying = {}): GatewaysInOrder {
  if (gateways.length === 0) return { ...noGateway, gateways }
  const desks = gateways.map((gateway) => new Desk(gateway, trying))
  return {
    name: gateways.map(({ name }) => name).join(', '),
    gateways,
    async send(text) {
      const problems: unknown[] = []
      for (const desk of desks) {
        if (!desk.isOpen()) continue
        try {
          return await desk.send(text)
        } catch (error) {
          if (error instanceof TextRejected) throw error
          problems.push(error)
        }
      }
      throw worst(problems, desks.length)
    },
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.close()))
    },
  }
}

/** A text that every gateway refuses has failed; while one of them may yet take it, it waits. */
function worst(problems: readonly unknown[], gateways: number): Error {
  const refusals = problems.filter((problem) => problem instanceof GatewayRefusal)
  if (refusals.length === gateways) return new TextRejected(refusals.map(({ message }) => message).join(' '))
  return new GatewaysAway('no SMS provider takes the text at the moment')
}

/** One gateway, and whether it is worth asking. */
class Desk {
  readonly #gateway: SmsGateway
  readonly #trying: Trying
  #failures = 0
  #restsUntil = 0
  #isProbing = false

  constructor(gateway: SmsGateway, trying: Trying) {
    this.#gateway = gateway
    this.#trying = trying
    gateway.whenBack?.(() => {
      this.#failures = 0
      trying.onBack?.()
    })
  }

  isOpen(): boolean {
    if (this.#failures < failuresToRest) return true
    return !this.#isProbing && performance.now() >= this.#restsUntil
  }

  async send(text: OutgoingText): Promise<Handover> {
    const start = performance.now()
    this.#isProbing = this.#failures >= failuresToRest
    const note = (outcome: TryOutcome) =>
      this.#trying.onTry?.(this.#gateway.name, outcome, (performance.now() - start) / 1000)
    try {
      const handover = await withinPatience(this.#gateway, text, this.#trying.patienceMs ?? patienceMs)
      this.#failures = 0
      note('taken')
      return handover
    } catch (error) {
      const answered = error instanceof TextRejected || error instanceof GatewayRefusal
      note(answered ? 'refused' : error instanceof Silence ? 'silent' : 'failed')
      if (answered) this.#failures = 0
      else this.#fail(error)
      throw error
    } finally {
      this.#isProbing = false
    }
  }

  #fail(error: unknown): void {
    this.#failures += 1
    this.#restsUntil = performance.now() + (this.#trying.restMs ?? restMs)
    this.#trying.onTrouble?.(error)
  }
}

class Silence extends Error {
  override name = 'Silence'
}

async function withinPatience(gateway: SmsGateway, text: OutgoingText, patience: number): Promise<Handover> {
  const limit = Promise.withResolvers<never>()
  const giveUp = new AbortController()
  const timer = setTimeout(() => {
    giveUp.abort()
    limit.reject(new Silence(`the SMS gateway ${gateway.name} does not answer`))
  }, patience)
  try {
    return await Promise.race([gateway.send(text, giveUp.signal), limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
