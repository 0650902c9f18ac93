import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../../http/services.ts'
import { clearCounts, countEach, type ThrottleRule, uncountOne } from '../../platform/db/throttle.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Turn } from '../../platform/fair-turns.ts'
import { siteOf } from '../../platform/network.ts'
import { isBusy } from '../../platform/passwords.ts'
import { isSealed, seal, sha256 } from '../../platform/secrets.ts'

/** Of one name from one address (T11); `noisy` where that address was wrong often. */
const triesOfName = { limit: 10, noisy: 3, minutes: 15 }
/** At one name from all addresses. Beyond it each address still has its own few: nobody can use them up for another. */
const guessesAtName = { limit: 100, minutes: 60 }
const triesOfGuessedName = { limit: 2, minutes: 60 }
/** A whole site stands behind one address: beyond it nobody is refused, and wrong answers take their time. */
const wrongOfSite = { limit: 60, minutes: 15 }

/** Who asks to sign in, as far as it can be told before. */
export interface Asker {
  network: string
  /** What the phone has kept of an earlier sign-in, if anything. */
  device: string | undefined
}

/** One try of a password, counted as wrong until it turns out to be right. */
export interface Attempt {
  turn: Turn
  /** The accounts of the name that have a try left. */
  open: readonly string[]
  /** For how long a wrong answer is held back. */
  holdMs: number
  /** To be called with the accounts for which it was right: wrong ones before it from there count no more for them. */
  wasRight(accountUids: readonly string[]): Promise<void>
}

/** Random, and whose account it is: of no use for another account, and of none without the password. */
export const newDevice = (key: Uint8Array, accountUid: string) =>
  seal(key, Buffer.concat([Buffer.from(hex(accountUid), 'hex'), randomBytes(16)]).toString('base64url'))

const deviceLane = (accountUid: string) => `device/${hex(accountUid)}`
const hex = (uid: string) => uid.replaceAll('-', '')

/** A phone that has signed in before stands in the lane of its account, whatever else comes from its address. */
export function laneOf({ secrets }: Services, { network, device }: Asker): string {
  if (!device || !isSealed(secrets.devices, device)) return siteOf(network)
  return deviceLane(Buffer.from(device, 'base64url').toString('hex', 0, 16))
}

/** The accounts of the name, or for a name that nobody has its hash: both are counted alike (T9). */
const subjectsOf = (accountUids: readonly string[], name: string) =>
  accountUids.length > 0 ? accountUids : [sha256(name).toString('base64url')]
const keyOf = (subject: string, from: string) => `login/${subject}/${from}`
const guessedKey = (subject: string, network: string) => keyOf(subject, `${siteOf(network)}/guessed`)
const siteKey = (kind: string, network: string) => `${kind}/${siteOf(network)}`

/**
 * Takes a try before its outcome is known, so that many at once cannot slip through. Throws when none is left. Each account
 * of the name counts by itself: what is right for the one is still a guess at the others.
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

/** Who has set a new password may use it, however often wrong ones came from there before. */
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
/** Grows from one second to three with what was wrong from there in the quarter of an hour. */
const holdAfter = (wrong: number) =>
  wrong <= wrongOfSite.limit ? 0 : Math.min(shortestHoldMs + (wrong - wrongOfSite.limit) * 4, longestHoldMs)

/** Counts a wrong answer for the address it goes to. Answers for how long such answers are held back there. */
export async function countWrong({ system, clock }: Services, kind: string, network: string): Promise<number> {
  const [wrong = 0] = await countEach(system, [[siteKey(kind, network), wrongOfSite]], clock.now())
  return holdAfter(wrong)
}

/** Ends so long after `since` (performance.now()), whatever was done meanwhile: the time of an answer tells nothing (T9). */
export async function hold(since: number, ms: number): Promise<void> {
  if (ms > 0) await delay(Math.max(0, since + ms - performance.now()))
}
