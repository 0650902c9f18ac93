import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '#server/http/services.ts'
import { asOfLine, type Level, levelsOf } from '#server/platform/db/network-limits.ts'
import { clearCounts, countEach, type ThrottleRule, uncountOne } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Turn } from '#server/platform/fair-turns.ts'
import type { Network } from '#server/platform/network.ts'
import { isBusy } from '#server/platform/passwords.ts'
import { isSealed, keyring, seal, sha256 } from '#server/platform/secrets.ts'

/** Limit per name and line. `noisy` applies to networks with many wrong answers. */
const triesOfName = { limit: 10, noisy: 3, minutes: 15 }
/** Limit per name from all networks. Above it each network still has a few tries of its own, which no one else can use up. */
const guessesAtName = { limit: 100, minutes: 60 }
const triesOfGuessedName = { limit: 2, minutes: 60 }
/** Above this number, wrong answers to a line are delayed. No one is refused, because a whole building shares one address. */
const wrongOfLine = { limit: 60, minutes: 15 }

/** The caller of a sign-in, before the password is checked. */
export interface Asker {
  network: Network
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
  if (!device || !isSealed(keyring(secrets, 'devices'), device)) return network.site
  return deviceLane(Buffer.from(device, 'base64url').toString('hex', 0, 16))
}

/** Keys to count: the accounts of the name, or a hash of an unknown name, so that both behave alike. */
const subjectsOf = (accountUids: readonly string[], name: string) =>
  accountUids.length > 0 ? accountUids : [sha256(name).toString('base64url')]
const doorOf = (subject: string) => `login/${subject}`
const guessesOf = (subject: string, network: Network) => levelsOf(`${doorOf(subject)}/guessed`, network)
const keysOf = (levels: readonly Level[]) => levels.map(({ key }) => key)

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
  const mark = isDevice ? sha256(asker.device as string).toString('base64url') : undefined
  const tries = subjects.map((subject) =>
    mark ? [{ key: `${doorOf(subject)}/${mark}`, share: 1 }] : levelsOf(doorOf(subject), asker.network),
  )
  const guesses = subjects.map((subject) => guessesOf(subject, asker.network))
  const wrong = levelsOf('login', asker.network)
  const counts = await countAll(app, now, [
    [keysOf(wrong), wrongOfLine],
    [keysOf(tries.flat()), triesOfName],
    [isDevice ? [] : subjects.map(doorOf), guessesAtName],
  ])
  const heldBack = holdAfter(counts.ofLine(wrong))
  const limit = heldBack && !isDevice ? triesOfName.noisy : triesOfName.limit
  const ofNeighbours = await spareNeighbours(app, counts, [wrong], wrongOfLine, now)
  await spareNeighbours(app, counts, tries, { ...triesOfName, limit }, now)
  const isGuessed = subjects.map((subject) => counts.of(doorOf(subject)) > guessesAtName.limit)
  const own = isGuessed.includes(true)
    ? await countAll(app, now, [[keysOf(guesses.flat()), triesOfGuessedName]])
    : undefined
  if (own) await spareNeighbours(app, own, guesses, triesOfGuessedName, now)
  const ranks = subjects.flatMap((subject, n) => {
    const rank = counts.ofLine(tries[n] ?? [])
    const hasTry = rank <= limit && !(isGuessed[n] && (own?.ofLine(guesses[n] ?? []) ?? 0) > triesOfGuessedName.limit)
    return hasTry ? [{ subject, rank }] : []
  })
  if (ranks.length === 0) throw throttled(app)
  return {
    turn: { lane, rank: Math.min(...ranks.map(({ rank }) => rank)) },
    open: ranks.map(({ subject }) => subject),
    holdMs: heldBack || (isBusy() ? shortestHoldMs : 0),
    wasRight: async (right) => {
      const ofRight = (_: unknown, n: number) => right.includes(subjects[n] as string)
      const keys = keysOf([...tries.filter(ofRight), ...guesses.filter(ofRight)].flat())
      await clearCounts(app.system, keys)
      const counted = keysOf(wrong).filter((key) => !ofNeighbours.includes(key))
      await uncountOne(app.system, counted, wrongOfLine, now)
    },
  }
}

type Counted = readonly (readonly [keys: readonly string[], rule: ThrottleRule])[]

/** Counts one attempt per key. Gives the counts by key, and those of the levels of a network as though of one line. */
async function countAll({ system }: Services, now: Date, counted: Counted) {
  const rules = counted.flatMap(([keys, rule]) => keys.map((key) => [key, rule] as const))
  const counts = await countEach(system, rules, now)
  const of = (key: string) => counts[rules.findIndex(([one]) => one === key)] ?? 0
  return {
    of,
    ofLine: (levels: readonly Level[]) => asOfLine(levels, keysOf(levels).map(of)),
  }
}

/**
 * Takes back what lines beyond their own limit have added to the counts of their home and site: one line must not lock its
 * neighbours out. Returns the keys.
 */
async function spareNeighbours(
  { system }: Services,
  counts: Awaited<ReturnType<typeof countAll>>,
  networks: readonly (readonly Level[])[],
  rule: ThrottleRule,
  now: Date,
): Promise<string[]> {
  const keys = networks.flatMap(([line, ...around]) =>
    line && counts.of(line.key) > rule.limit * line.share ? keysOf(around) : [],
  )
  if (keys.length > 0) await uncountOne(system, keys, rule, now)
  return keys
}

function throttled({ metrics }: Services) {
  metrics.signIns.inc({ outcome: 'throttled' })
  return new Refusal('too_many_attempts', `Too many failed attempts. Try again in ${triesOfName.minutes} minutes.`)
}

/** Resets the counts after a new password, so that it can be used at once. */
export async function forgetTries(
  { system }: Services,
  accountUids: readonly string[],
  network: Network,
): Promise<void> {
  await clearCounts(
    system,
    keysOf(accountUids.flatMap((uid) => [...levelsOf(doorOf(uid), network), ...guessesOf(uid, network)])),
  )
}

const shortestHoldMs = 1_000
const longestHoldMs = 3_000
/** One to three seconds, growing with the wrong answers to the network in 15 minutes. */
const holdAfter = (wrong: number) =>
  wrong <= wrongOfLine.limit ? 0 : Math.min(shortestHoldMs + (wrong - wrongOfLine.limit) * 4, longestHoldMs)

/** Counts a wrong answer for its network. Returns the delay for such answers, ms. */
export async function countWrong(app: Services, kind: string, network: Network): Promise<number> {
  const levels = levelsOf(kind, network)
  const now = app.clock.now()
  const counts = await countAll(app, now, [[keysOf(levels), wrongOfLine]])
  await spareNeighbours(app, counts, [levels], wrongOfLine, now)
  return holdAfter(counts.ofLine(levels))
}

/** Resolves a fixed time after `since` (performance.now()), so that the duration reveals nothing. */
export async function hold(since: number, ms: number): Promise<void> {
  if (ms > 0) await delay(Math.max(0, since + ms - performance.now()))
}
