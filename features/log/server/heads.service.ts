import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { LogHead } from '../calls.ts'
import type { Head } from './heads.queries.ts'
import * as queries from './heads.queries.ts'
import { MerkleTree } from './merkle.ts'
import { findLog, isBehind, type LogOf } from './sealing.queries.ts'
import { checkpointText, keyIdOf, openSigner, type Signer, verifierKey } from './signed-note.ts'
import { leavesOf } from './tiles.ts'
import { type Authority, requestStamp } from './time-stamp.ts'

export type SignedHead = Pick<Head, 'size' | 'root' | 'note'>

/** Signs what has grown and is due. Any number of nodes may run it. */
export async function signDueHeads(system: Db, signer: Signer, onTrouble: (error: unknown) => void): Promise<void> {
  for (const of of await queries.listWithoutHead(system)) await signHead(system, signer, of).catch(onTrouble)
}

/** Signs what is sealed, unless the newest head says it already. Returns the newest head. Undefined of an empty log. */
export async function signHead(system: Db, signer: Signer, of: LogOf): Promise<SignedHead | undefined> {
  await queries.keepKey(system, signer)
  return system.transaction().execute(async (tx) => {
    const log = await queries.lockLog(tx, of)
    if (!log?.size) return undefined
    if (log.headSize === log.size) return (await queries.listHeads(tx, of)).at(-1)
    const root = await rootAt(tx, of, log.size)
    const note = signer.sign(checkpointText(signer.name, of.eventUid, log.size, root))
    const head = { size: log.size, root, note }
    await queries.saveHead(tx, of, head)
    return head
  })
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
