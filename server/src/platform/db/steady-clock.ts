import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './db.ts'

/**
 * The database's time as it orders records: wall time, plus what the wall clock was set back by. It never runs backwards.
 * Sub-select, so that a statement reads it once.
 */
export const steadyNow = sql<Date>`(select steady_now())`

/** Milliseconds. A clock that is corrected by less is followed: a wall clock is set right by such amounts all the time. */
const smallestStep = 500

/** One look at both clocks. The wall clock was read between `before` and `after` of this process's own clock. */
interface Look {
  wallMs: number
  version: number
  before: number
  after: number
}

/**
 * Compares the database's wall clock with this process's monotonic clock, look by look, and writes down each step of the
 * wall clock. Of several processes that see the same step one writes it down (`version`). A step that cannot be written
 * down now, on a full disk for instance, is seen again at the next look.
 */
export function followWallClock(log: { warn(message: string): void }, monotonicMs = () => performance.now()) {
  let last: Look | undefined
  return async function look(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const before = monotonicMs()
    const { rows } = await client.query<{ wallMs: number; version: string }>(readClocks)
    const now = { wallMs: Number(rows[0]?.wallMs), version: Number(rows[0]?.version), before, after: monotonicMs() }
    const stepMs = last && last.version === now.version ? stepBetween(last, now) : 0
    if (stepMs !== 0) {
      const isWritten = await writeStep(client, stepMs, now.version).catch(() => undefined)
      if (isWritten === undefined) return
      if (isWritten)
        log.warn(`The clock of the database was set ${stepMs < 0 ? 'back' : 'forward'} by ${inSeconds(stepMs)} s`)
    }
    last = now
  }
}

const inSeconds = (ms: number) => (Math.abs(ms) / 1000).toFixed(1)

/** False when another process was faster. */
async function writeStep(client: Pick<pg.ClientBase, 'query'>, stepMs: number, version: number): Promise<boolean> {
  const { rowCount } = await client.query(stepMs < 0 ? stepBack : jumpForward, [Math.abs(stepMs), version])
  return rowCount === 1
}

/** What the wall clock did beyond the time that passed: zero unless it is more than uncertainty and habit explain. */
function stepBetween(last: Look, now: Look): number {
  const walled = now.wallMs - last.wallMs
  const atLeast = now.before - last.after
  const atMost = now.after - last.before
  if (walled < atLeast - smallestStep) return walled - atLeast
  if (walled > atMost + smallestStep) return walled - atMost
  return 0
}

const readClocks = `select extract(epoch from clock_timestamp())::float8 * 1000 as "wallMs", version from steady_clock`
const stepBack = `
  update steady_clock set ahead = ahead + make_interval(secs => $1::float8 / 1000), version = version + 1
  where version = $2`
/** A jump is not taken off again: what was recorded since would lie in the future. Who counts back across it leaves it out. */
const jumpForward = `
  update steady_clock set jumped_at = clock_timestamp() + ahead, jump = jump + make_interval(secs => $1::float8 / 1000),
    version = version + 1
  where version = $2`

/** For a wall clock that was set back while no process looked: time goes on from the newest record of the running events. */
export async function catchUpWithRecords(system: Db): Promise<void> {
  await sql`
    update steady_clock set ahead = ahead + newest.at - (clock_timestamp() + ahead), version = version + 1
    from (
      select max(greatest(event.began_at, latest.at)) as at
      from event
      left join lateral (
        select max(greatest(status_at, status_observed_at, place_seen_at, sight_at)) as at from evacuee
        where evacuee.client_uid = event.client_uid and evacuee.event_uid = event.uid
      ) latest on true
      where ended_at is null
    ) newest
    where newest.at > clock_timestamp() + ahead`.execute(system)
}
