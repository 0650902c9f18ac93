import {
  GatewayRefusal,
  GatewaysAway,
  type Handover,
  noGateway,
  type OutgoingCall,
  type OutgoingText,
  type SmsGateway,
  TextRejected,
  type TryOutcome,
} from '../sms-gateway.ts'

/** After this silence the next gateway is tried, so that it is tried within ten seconds. */
const patienceMs = 8_000
/** Circuit breaker: after this many failures in a row a gateway gets no texts for a while. Then one text tries it. */
const failuresToRest = 3
const restMs = 3_000

export interface Trying {
  patienceMs?: number
  restMs?: number
  onTry?: (gateway: string, outcome: TryOutcome, seconds: number) => void
  /** A gateway failed. The text goes to the next one, or is retried later. */
  onTrouble?: (error: unknown) => void
  /** A gateway accepts texts again. Queued texts need not wait for the next sweep. */
  onBack?: () => void
}

export interface GatewaysInOrder extends SmsGateway {
  gateways: readonly SmsGateway[]
}

/**
 * Failover: each text goes to the first gateway that works. After an error the next one is tried at once, after silence
 * when patience ends. Only after silence can a text reach a phone twice, because the silent gateway may have sent it.
 */
export function inOrder(gateways: readonly SmsGateway[], trying: Trying = {}): GatewaysInOrder {
  if (gateways.length === 0) return { ...noGateway, gateways }
  const callers = gateways.filter((gateway) => gateway.call)
  const breakers = gateways.map((gateway) => new Breaker(gateway, trying))
  return {
    name: gateways.map(({ name }) => name).join(', '),
    gateways,
    async send(text) {
      const problems: unknown[] = []
      for (const breaker of breakers) {
        if (!breaker.isOpen()) continue
        try {
          return await breaker.send(text)
        } catch (error) {
          if (error instanceof TextRejected) throw error
          problems.push(error)
        }
      }
      throw worst(problems, breakers.length)
    },
    ...(callers.length > 0 && {
      call: (call) => callInOrder(callers, call, trying),
      hangUp: async (taken) => callers.find(({ name }) => name === taken.gateway)?.hangUp?.(taken),
    }),
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.close()))
    },
  }
}

/** A text fails if every gateway refuses it. Otherwise it is retried. */
function worst(problems: readonly unknown[], gateways: number): Error {
  const refusals = problems.filter((problem) => problem instanceof GatewayRefusal)
  if (refusals.length === gateways) return new TextRejected(refusals.map(({ message }) => message).join(' '))
  return new GatewaysAway('no SMS provider takes the text at the moment')
}

/** A gateway behind a circuit breaker. */
class Breaker {
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
      const handover = await withinPatience(this.#gateway.name, this.#trying.patienceMs ?? patienceMs, (signal) =>
        this.#gateway.send(text, signal),
      )
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

/** The first gateway with calls that takes it. After silence no other is tried: the phone may be ringing. */
async function callInOrder(
  callers: readonly SmsGateway[],
  call: OutgoingCall,
  { patienceMs: patience = patienceMs }: Trying,
): Promise<Handover> {
  const problems: unknown[] = []
  for (const gateway of callers)
    try {
      return await withinPatience(gateway.name, patience, (signal) => (gateway.call as Caller)(call, signal))
    } catch (error) {
      if (error instanceof TextRejected || error instanceof Silence) throw error
      problems.push(error)
    }
  throw problems.every((problem) => problem instanceof GatewayRefusal) ? worst(problems, callers.length) : problems[0]
}

type Caller = NonNullable<SmsGateway['call']>

async function withinPatience(
  name: string,
  patience: number,
  work: (signal: AbortSignal) => Promise<Handover>,
): Promise<Handover> {
  const limit = Promise.withResolvers<never>()
  const giveUp = new AbortController()
  const timer = setTimeout(() => {
    giveUp.abort()
    limit.reject(new Silence(`the SMS gateway ${name} does not answer`))
  }, patience)
  try {
    return await Promise.race([work(giveUp.signal), limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
