import { isOfBuilding, type Network } from '../network.ts'
import type { Db, Tx } from './db.ts'
import { countEach, countWithin, forgetRecent, type ThrottleRule, takeRecent } from './throttle.ts'

/** How many times the limit of a line its home and its site may use. */
interface Shares {
  home: number
  site: number
}
const usual: Shares = { home: 2, site: 4 }
/** How many times that an IPv4 address may use where a whole building comes at once. */
export const timesOfBuilding = 6

/** A limit of one line. */
export interface NetworkRule extends ThrottleRule {
  /** A whole building behind one IPv4 address comes here at once. Never for guesses at something secret. */
  building?: true
  shares?: Shares
}

/** A key under which something of a network is counted, and how many lines' worth of it may come. */
export interface Level {
  key: string
  share: number
}

/** The levels of a network at a door. The line's key comes first; none comes twice. */
export function levelsOf(
  door: string,
  network: Network,
  { building, shares = usual }: Omit<NetworkRule, 'limit' | 'minutes'> = {},
): Level[] {
  const times = building && isOfBuilding(network) ? timesOfBuilding : 1
  const all = [
    { key: `${door}/${network.line}`, share: times },
    { key: `${door}/${network.home}`, share: times * shares.home },
    { key: `${door}/${network.site}`, share: times * shares.site },
  ]
  return all.filter(({ key }, nth) => all.findIndex((one) => one.key === key) === nth)
}

/** The counts of the levels as though all had come from one line: a limit of a line holds for it. */
export const asOfLine = (levels: readonly Level[], counts: readonly number[]): number =>
  Math.max(...levels.map(({ share }, nth) => Math.ceil((counts[nth] ?? 0) / share)))

/**
 * Counts one attempt of a network at a door. False above the limit of its line, twice that of its home or four times that of
 * its site. What a line is refused does not count for its site: a flood must not lock its neighbours out.
 */
export const countNetwork = (system: Db, door: string, network: Network, rule: NetworkRule, now: Date) =>
  isWithin(levelsOf(door, network, rule), rule, (key) => countEach(system, [[key, rule]], now))

/** The same in the caller's transaction. */
export const countNetworkWithin = (tx: Tx, door: string, network: Network, rule: NetworkRule, now: Date) =>
  isWithin(levelsOf(door, network, rule), rule, (key) => countWithin(tx, [[key, rule]], now))

async function isWithin(
  levels: readonly Level[],
  { limit }: NetworkRule,
  count: (key: string) => Promise<number[]>,
): Promise<boolean> {
  for (const { key, share } of levels) {
    const [counted = 0] = await count(key)
    if (counted > limit * share) return false
  }
  return true
}

/** The same in a sliding window, in which rejected attempts are not counted. */
export async function takeRecentOfNetwork(
  system: Db,
  door: string,
  network: Network,
  { limit, minutes, ...rule }: NetworkRule,
  now: Date,
): Promise<boolean> {
  for (const { key, share } of levelsOf(door, network, rule))
    if (!(await takeRecent(system, key, { limit: limit * share, minutes }, now))) return false
  return true
}

/** Forgets the attempts of a network in the sliding window. */
export const forgetRecentOfNetwork = (system: Db, door: string, network: Network): Promise<void> =>
  forgetRecent(
    system,
    levelsOf(door, network).map(({ key }) => key),
  )
