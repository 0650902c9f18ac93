import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import { openEpoch } from '#server/realtime/feed/epoch.ts'
import type { LogCheck, LogHead } from '../calls.ts'
import {
  findLastHead,
  findLastNumber,
  findMovedFrom,
  isToldBroken,
  noteTrouble,
  oneAtATime,
} from './head-log/head-log.queries.ts'
import { headText, keepHead, type Signing, signHeads, takeKept } from './head-log/head-log.service.ts'
import type { Head } from './heads.queries.ts'
import * as queries from './heads.queries.ts'
import { MerkleTree } from './merkle.ts'
import { findLog, isBehind, type LogOf, type OwnEntry } from './sealing.queries.ts'
import { appendOwn } from './sealing.service.ts'
import { keyIdOf, openSigner, type Signer, verifierKey } from './signed-note.ts'
import { leavesOf } from './tiles.ts'
import { type Authority, requestStamp } from './time-stamp.ts'

export type SignedHead = Pick<Head, 'size' | 'root' | 'note'>

/** Signs what has grown and is due. Any number of nodes may run it. */
export async function signDueHeads(signing: Signing, onTrouble: (error: unknown) => void): Promise<void> {
  for (const of of await queries.listWithoutHead(signing.system)) await signHead(signing, of).catch(onTrouble)
}

/**
 * Signs what is sealed, unless the newest head says it already. Returns the newest head. Undefined of an empty log. No other
 * history is signed: if the log does not continue the last head that was kept of it, its next entry says so first.
 */
export async function signHead(signing: Signing, of: LogOf): Promise<SignedHead | undefined> {
  const { system, signer } = signing
  await queries.keepKey(system, signer)
  return oneAtATime(system, async () => {
    const epoch = await openEpoch(system)
    await takeKept(signing, epoch)
    for (;;) {
      await tellIfBroken(system, of, epoch)
      const log = await findLog(system, of)
      if (!log?.size) return undefined
      const [newest] = await queries.listNewestHeads(system, of, 1)
      if (newest?.size === log.size) return newest
      const head = { ...of, serial: log.serial, size: log.size, root: await rootAt(system, of, log.size), epoch }
      const note = signer.sign(headText(signer.name, head))
      if (await keepHead(signing, { ...head, note })) return { size: head.size, root: head.root, note }
    }
  })
}

/** Takes heads that only the file store has, before the logs that have lost them go on. */
export const takeKeptHeads = (signing: Signing): Promise<unknown> =>
  oneAtATime(signing.system, async () => takeKept(signing, await openEpoch(signing.system)))

/** A log that is shorter than its last kept head, or has another root there, is told of as its next entry. */
async function tellIfBroken(system: Db, of: LogOf, epoch: string): Promise<void> {
  const last = await findLastHead(system, of)
  if (!last) return
  for (;;) {
    const log = await findLog(system, of)
    if (!log) return
    // what was signed before a restore still has to fit, but for what that has lost: `log_moved` tells of it
    const isLost = last.epoch !== epoch && last.size >= ((await findMovedFrom(system, of)) ?? log.size + 1)
    if (isLost) return
    const root = last.root.toString('base64')
    const isContinued = log.size >= last.size && (await rootAt(system, of, last.size)).equals(last.root)
    if (isContinued || (await isToldBroken(system, of, last.size, root))) return
    await noteTrouble(system, of, `This log no longer continues its head ${last.size} ${root}.`)
    const entry: OwnEntry = { action: 'log_broken', after: { size: last.size, root } }
    if (await appendOwn(system, of, { log, entry: async () => entry })) return
  }
}

/** The newest head covers all of an ended event: nothing of it is unsealed, not even in an open transaction. */
export async function isAllSigned(db: Db, of: LogOf): Promise<boolean> {
  const log = await findLog(db, of)
  const [newest] = await queries.listNewestHeads(db, of, 1)
  return log !== undefined && newest?.size === log.size && !(await isBehind(db, of, log))
}

/** The root of the first `size` entries. */
export async function rootAt(db: Db, of: LogOf, size: number): Promise<Buffer> {
  const { fullTiles, rest } = await queries.readTree(db, of, size)
  const tree = new MerkleTree()
  for (const hash of fullTiles) tree.add(hash, 8)
  for (const leaf of leavesOf(rest)) tree.add(leaf)
  return tree.root()
}

/** All heads of a log, oldest first. */
export const headsOf = queries.listHeads

const shownHeads = 20

/** The newest heads first, each with the key that has signed it. */
export async function presentHeads(db: Db, keys: readonly { key: string }[], of: LogOf): Promise<LogHead[]> {
  const heads = await queries.listNewestHeads(db, of, shownHeads)
  return heads.map(({ size, root, note, at, isStamped }) => ({
    size,
    root: root.toString('base64'),
    at: at.toISOString(),
    stamped: isStamped,
    key: keys.find(({ key }) => key.split('+')[1] === keyIdOf(note))?.key ?? '',
  }))
}

/** What the last check of the log found. Null: it was not checked yet. */
export async function presentCheck(db: Db, of: LogOf): Promise<LogCheck | null> {
  const found = await queries.findCheck(db, of)
  return found ? { ...found, at: found.at.toISOString() } : null
}

/** The newest head, its root in base64. Undefined: none is signed yet. */
export async function newestHead(db: Db, of: LogOf): Promise<{ size: number; root: string } | undefined> {
  const [head] = await queries.listNewestHeads(db, of, 1)
  return head && { size: head.size, root: head.root.toString('base64') }
}

/** Every key that has signed here, and the one that signs now, as verifier keys. */
export async function listVerifierKeys(
  db: Db,
  signer: Omit<Signer, 'sign'>,
): Promise<{ key: string; since: Date | null }[]> {
  const kept = (await queries.listKeys(db)).map(({ since, ...key }) => ({ key: verifierKey(key), since }))
  const now = verifierKey(signer)
  return kept.some(({ key }) => key === now) ? kept : [...kept, { key: now, since: null }]
}

type LogNeeds = Pick<Services, 'system' | 'secrets' | 'config'>

/** Reads the verifier keys of this server. */
export function keysOf({ system, secrets, config }: LogNeeds): () => ReturnType<typeof listVerifierKeys> {
  const signer = openSigner(secrets.recordLog, config.appUrl)
  return () => listVerifierKeys(system, signer)
}

/** Reads the newest checkpoint of the log of heads. It is made once for each size. */
export function readCheckpoint({ system, secrets, config }: LogNeeds): () => ReturnType<typeof signHeads> {
  const signer = openSigner(secrets.recordLog, config.appUrl)
  let newest: Awaited<ReturnType<typeof signHeads>>
  return async () => {
    const size = await findLastNumber(system)
    if (newest?.size !== size) newest = await signHeads({ system, signer })
    return newest
  }
}

/** Asks the authority for the time stamps of the last day's heads that have none yet. */
export async function stampHeads(system: Db, authority: Authority, onTrouble: (error: unknown) => void): Promise<void> {
  for (const { size, note, ...of } of await queries.listUnstamped(system)) {
    try {
      await queries.saveStamp(system, of, size, await requestStamp(authority, Buffer.from(note)))
    } catch (error) {
      onTrouble(error)
      return
    }
  }
}
