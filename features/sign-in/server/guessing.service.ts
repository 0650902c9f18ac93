import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '#server/http/services.ts'
import { clearCounts, countEach, type ThrottleRule, uncountOne } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Turn } from '#server/platform/fair-turns.ts'
import { siteOf } from '#server/platform/network.ts'
import { isBusy } from '#server/platform/passwords.ts'
import { isSealed, seal, sha256 } from '#server/platform/secrets.ts'

/** Limit per name and address. `noisy` applies to addresses with many wrong answers. */
const triesOfName = { limit: 10, noisy: 3, minutes: 15 }
/** Limit per name from all addresses. Above it each address still has a few tries of its own, which no one else can use up. */
const guessesAtName = { limit: 100, minutes: 60 }
const triesOfGuessedName = { limit: 2, minutes: 60 }
/** Above this number, wrong answers to an address are delayed. No one is refused, because a whole site shares one address. */
const wrongOfSite = { limit: 60, minutes: 15 }

/** The caller of a sign-in, before the password is checked. */
export interface Asker {
  network: string
  /** The mark of an earlier sign-in on this phone, if any. */
  device: string | undefined
}

/** One password attempt. It counts as wrong until it proves right. */
export interface Attempt {
  turn: Turn
  /** The accounts of the name that have an attempt left. */
  open: readonly string[]
  /** Delay of a wrong answer. */
  holdMs: number
  /** Call with the accounts whose password was right. Resets their earlier wrong attempts from this address. */
  wasRight(accountUids: readonly string[]): Promise<void>
}

/** A random mark for one account. Useless for other accounts and without the password. */
export const newDevice = (key: Uint8Array, accountUid: string) =>
  seal(key, Buffer.concat([Buffer.from(hex(accountUid), 'hex'), randomBytes(16)]).toString('base64url'))

const deviceLane = (accountUid: string) => `device/${hex(accountUid)}`
const hex = (uid: string) => uid.replaceAll('-', '')

/** A phone that has signed in before uses its account's limits, whatever else comes from its address. */
export function laneOf({ secrets }: Services, { network, device }: Asker): string {
  if (!device || !isSealed(secrets.devices, device)) return siteOf(network)
  return deviceLane(Buffer.from(device, 'base64url').toString('hex', 0, 16))
}

/** Keys to count: the accounts of the name, or a hash of an unknown name, so that both behave alike. */
const subjectsOf = (accountUids: readonly string[], name: string) =>
  accountUids.length > 0 ? accountUids : [sha256(name).toString('base64url')]
const keyOf = (subject: string, from: string) => `login/${subject}/${from}`
const guessedKey = (subject: string, network: string) => keyOf(subject, `${siteOf(network)}/guessed`)
const siteKey = (kind: string, network: string) => `${kind}/${siteOf(network)}`

/**
 * Uses one attempt before the outcome is known, because concurrent attempts could slip through otherwise. Throws if none is
 * left. Each account of the name counts separately: a right password of one is a guess at the others.
 */
export async function takeTry(
  app: Services,
  name: string,
  accountUids: readonly string[],
  asker: Asker,
): Promise<Attempt> {
  const now = app.clock.now()
  const lane = laneOf(app, asker)
  const isDevice = accountUids.some((uid) => lane === deviceLane(uid))
  const subjects = subjectsOf(accountUids, name)
  const from = isDevice ? sha256(asker.device as string).toString('base64url') : asker.network
  const keys = subjects.map((subject) => keyOf(subject, from))
  const ownKeys = subjects.map((subject) => guessedKey(subject, asker.network))
  const site = siteKey('login', asker.network)
  const countAll = (counted: readonly string[], rule: ThrottleRule) =>
    countEach(
      app.system,
      counted.map((key) => [key, rule] as const),
      now,
    )

  const [wrong = 0, ...counts] = await countEach(
    app.system,
    [
      [site, wrongOfSite],
      ...keys.map((key) => [key, triesOfName] as const),
      ...(isDevice ? [] : subjects.map((subject) => [`login/${subject}`, guessesAtName] as const)),
    ],
    now,
  )
  const heldBack = holdAfter(wrong)
  const limit = heldBack && !isDevice ? triesOfName.noisy : triesOfName.limit
  const isGuessed = subjects.map((_, n) => (counts[keys.length + n] ?? 0) > guessesAtName.limit)
  const own = isGuessed.includes(true) ? await countAll(ownKeys, triesOfGuessedName) : []
  const ranks = subjects.flatMap((subject, n) => {
    const rank = counts[n] ?? 0
    const hasTry = rank <= limit && !(isGuessed[n] && (own[n] ?? 0) > triesOfGuessedName.limit)
    return hasTry ? [{ subject, rank }] : []
  })
  if (ranks.length === 0) throw throttled(app)
  return {
    turn: { lane, rank: Math.min(...ranks.map(({ rank }) => rank)) },
    open: ranks.map(({ subject }) => subject),
    holdMs: heldBack || (isBusy() ? shortestHoldMs : 0),
    wasRight: async (right) => {
      const isRight = (_: string, n: number) => right.includes(subjects[n] as string)
      await clearCounts(app.system, [...keys.filter(isRight), ...ownKeys.filter(isRight)])
      await uncountOne(app.system, site, wrongOfSite, now)
    },
  }
}

function throttled({ metrics }: Services) {
  metrics.signIns.inc({ outcome: 'throttled' })
  return new Refusal('too_many_attempts', `Too many failed attempts. Try again in ${triesOfName.minutes} minutes.`)
}

/** Resets the counts after a new password, so that it can be used at once. */
export async function forgetTries(
  { system }: Services,
  accountUids: readonly string[],
  network: string,
): Promise<void> {
  await clearCounts(
    system,
    accountUids.flatMap((uid) => [keyOf(uid, network), guessedKey(uid, network)]),
  )
}

const shortestHoldMs = 1_000
const longestHoldMs = 3_000
/** One to three seconds, growing with the wrong answers to the address in 15 minutes. */
const holdAfter = (wrong: number) =>
  wrong <= wrongOfSite.limit ? 0 : Math.min(shortestHoldMs + (wrong - wrongOfSite.limit) * 4, longestHoldMs)

/** Counts a wrong answer for its address. Returns the delay for such answers. */
export async function countWrong({ system, clock }: Services, kind: string, network: string): Promise<number> {
  const [wrong = 0] = await countEach(system, [[siteKey(kind, network), wrongOfSite]], clock.now())
  return holdAfter(wrong)
}

/** Resolves a fixed time after `since` (performance.now()), so that the duration reveals nothing. */
export async function hold(since: number, ms: number): Promise<void> {
  if (ms > 0) await delay(Math.max(0, since + ms - performance.now()))
}
