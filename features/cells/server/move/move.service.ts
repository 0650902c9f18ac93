import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { endSessions, markMoved } from '#features/organisation/server/organisations.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { WholeError } from '../whole/whole-file.ts'
import { endMoving, type Home, isAtRest, isMovingBy, markMoving, renewMoving, takeAlone } from './move.queries.ts'

const renewMs = 20_000
const [patienceMs, pauseMs] = [30_000, 50]

/** What happens at the other cell, each once more if it has happened already. Throws a WholeError if it does not. */
export interface OtherCell {
  /** Its address, where people go. */
  address: string
  /** Takes away a copy that was brought in and never used. */
  discard(code: string): Promise<void>
  /** Brings the file in, suspended. */
  bringIn(path: string): Promise<void>
  resume(code: string): Promise<void>
}

/**
 * Moves an organisation to another cell. It is read meanwhile, and what would change it is refused. Until it has moved, whatever fails
 * leaves everything here as it was; a killed move ends by itself after two minutes. From then on the same call goes on where the last
 * one was cut short. An event that starts ends the move. Throws a WholeError that says what to do.
 */
export async function moveOrganisation(
  system: Db,
  code: string,
  there: OtherCell,
  writeFile: () => Promise<string>,
): Promise<void> {
  const begun = await begin(system, code, there.address)
  if (begun !== 'moved') await bringOver(system, { code, ...begun }, there, writeFile)
  await there.resume(code)
}

interface Moving {
  code: string
  uid: ClientUid
  by: string
}

async function bringOver(system: Db, moving: Moving, there: OtherCell, writeFile: () => Promise<string>) {
  const { code, uid, by } = moving
  const renewing = setInterval(() => void renewMoving(system, uid, by).catch(() => undefined), renewMs)
  try {
    await there.discard(code)
    const path = await writeFile()
    await stillMoves(system, moving)
    await there.bringIn(path)
    await alone(system, code, (tx, home) => leave(tx, home, moving, there.address))
  } catch (error) {
    await endMoving(system, uid, by)
    // it may have left although the answer was lost, or another process may move it by now: then the copy is needed
    if (await isAtRest(system, uid)) await there.discard(code).catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewing)
  }
  await endSessions(system, uid)
}

function begin(system: Db, code: string, address: string): Promise<'moved' | Omit<Moving, 'code'>> {
  return alone(system, code, async (tx, { uid, active, movedTo, isMoving, hasEvent }) => {
    if (movedTo === address) return 'moved'
    if (movedTo !== null) throw new WholeError(`${code} has moved to ${movedTo}: nothing was changed.`)
    if (!active) throw new WholeError(`${code} is suspended: resume it first. Nothing was changed.`)
    if (isMoving) throw new WholeError(`${code} is moving already, or was until two minutes ago. Wait and try again.`)
    if (hasEvent) throw new WholeError(`${code} has a running event: move it when the event has ended.`)
    const by = randomUUID()
    await markMoving(tx, uid, by)
    return { uid, by }
  })
}

const forEvent = 'An event began. The move was given up; nothing has changed.'
const forSilence = 'The database heard nothing of this move for two minutes. Run this command again.'

/** An event leaves no sign of the move. A move that was silent for too long leaves its own, or that of the next one. */
const givenUp = async (db: Db, uid: ClientUid) => new WholeError((await isAtRest(db, uid)) ? forEvent : forSilence)

async function stillMoves(system: Db, { uid, by }: Moving): Promise<void> {
  if (!(await renewMoving(system, uid, by))) throw await givenUp(system, uid)
}

/** From here on it is at the other cell. */
async function leave(tx: Tx, { uid }: Home, { by }: Moving, address: string): Promise<void> {
  if (!(await isMovingBy(tx, uid, by))) throw await givenUp(tx, uid)
  await endMoving(tx, uid, by)
  await markMoved(tx, uid, address)
}

/** One transaction in which no one else writes anything of the organisation. Waits for those who do. */
async function alone<T>(system: Db, code: string, work: (tx: Tx, home: Home) => Promise<T>): Promise<T> {
  for (const since = performance.now(); ; await delay(pauseMs)) {
    const done = await system.transaction().execute(async (tx) => {
      const home = await takeAlone(tx, code)
      if (!home) throw new WholeError(`No organisation has the code '${code}'.`)
      return home === 'taken' ? undefined : { result: await work(tx, home) }
    })
    if (done) return done.result
    if (performance.now() - since > patienceMs)
      throw new WholeError(`Something of ${code} has been written for 30 s: try again. Nothing was changed.`)
  }
}
