import type { Db, Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { digestOf } from '../data-files.queries.ts'
import { commitOf, dataLines } from '../log-line.ts'
import { hashLength, tileWidth } from '../merkle.ts'
import { packLines, unpackLines } from '../packed-lines.ts'
import type { LogOf } from '../sealing.queries.ts'
import * as queries from './people-packed.queries.ts'

/** People of one transaction: it is short, so that the feed waits for little. */
const mostAtOnce = 8 * tileWidth

/** Packs who has joined the running events. Run it once a minute; any node may. */
export async function packRunning(system: Db, onTrouble: (error: unknown) => void): Promise<void> {
  for (const of of await queries.listRunning(system)) await packPeople(system, of).catch(onTrouble)
}

/** Packs who has joined the event and has no line yet: names stand in the log as they were then. */
export async function packPeople(system: Db, of: LogOf): Promise<void> {
  const waiting = await queries.listWaiting(system, of)
  for (let at = 0; at < waiting.length; at += mostAtOnce)
    await system.transaction().execute(async (tx) => {
      await queries.lockLog(tx, of)
      const joined = await queries.listJoined(tx, of, waiting.slice(at, at + mostAtOnce))
      if (joined.length === 0) return
      await append(tx, of, joined)
      await record(tx, unattended(of.clientUid), {
        action: 'people_packed',
        subjectType: 'event',
        subjectUid: of.eventUid,
        eventUid: of.eventUid,
        after: await digestOf(tx, of, 'people'),
      })
    })
}

async function append(tx: Tx, of: LogOf, joined: readonly queries.Joined[]): Promise<void> {
  const last = await queries.findLastTile(tx, of)
  let tile = last ?? (await emptyTile(0))
  const first = tile.idx * tileWidth + lengthOf(tile) + 1
  await queries.saveSubjects(
    tx,
    of,
    joined.map(({ subject }, at) => ({ subject, n: first + at })),
  )
  for (let at = 0; at < joined.length; ) {
    if (lengthOf(tile) === tileWidth) tile = await emptyTile(tile.idx + 1)
    const some = joined.slice(at, at + tileWidth - lengthOf(tile))
    tile = await withLines(tile, some)
    await queries.saveTile(tx, of, tile)
    at += some.length
  }
}

const lengthOf = ({ commits }: queries.PeopleTile) => commits.length / hashLength

const emptyTile = async (idx: number): Promise<queries.PeopleTile> => ({
  idx,
  commits: Buffer.alloc(0),
  lines: await packLines([]),
})

async function withLines(tile: queries.PeopleTile, joined: readonly queries.Joined[]): Promise<queries.PeopleTile> {
  const first = tile.idx * tileWidth + lengthOf(tile) + 1
  const lines = dataLines(joined, first)
  const before = await unpackLines(tile.lines)
  return {
    idx: tile.idx,
    commits: Buffer.concat([tile.commits, ...lines.map(commitOf)]),
    lines: await packLines([...before, ...lines]),
  }
}
