import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './db.ts'

/**
 * The database's time for ordering records: wall time plus the amount by which the wall clock was set back. Never runs
 * backwards. A sub-select, so that a statement reads it once.
 */
export const steadyNow = sql<Date>`(select steady_now())`

/**
 * The parts `clock` and `counted_back` of a statement: the rows of the part `target`, which has seconds_ago, with `now_at`
 * and `seen_at`, when the observation was made, null if the phone did not say. A jump of the clock since then was no time.
 * By the database's steady time, because the clocks of servers differ and any clock may be set.
 */
export const countedBack = sql.raw(`
    clock as (
      select now() + ahead as now_at, jumped_at, jump from steady_clock
    ), counted_back as (
      select t.*, now_at, seen_at - case when seen_at < jumped_at then jump else interval '0' end as seen_at
      from target t cross join clock
      cross join lateral (select now_at - make_interval(secs => seconds_ago) as seen_at) s
    )`)

/** Milliseconds. Smaller corrections are followed, because wall clocks are adjusted by such amounts all the time. */
const smallestStep = 500

/**
 * One reading of both clocks. The wall clock was read between `before` and `after` of this process's monotonic clock.
 */
interface ClockReading {
  wallMs: number
  version: number
  before: number
  after: number
}

/**
 * Compares the database's wall clock with this process's monotonic clock and stores each step of the wall clock. If
 * several processes see the same step, one stores it (`version`). A step that cannot be stored now, for example on a
 * full disk, is detected again at the next reading.
 */
export function followWallClock(log: { warn(message: string): void }, monotonicMs = () => performance.now()) {
  let last: ClockReading | undefined
  return async function compareClocks(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
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

/** False if another process stored the step first. */
async function writeStep(client: Pick<pg.ClientBase, 'query'>, stepMs: number, version: number): Promise<boolean> {
  const { rowCount } = await client.query(stepMs < 0 ? stepBack : jumpForward, [Math.abs(stepMs), version])
  return rowCount === 1
}

/**
 * The wall clock's deviation from elapsed time in milliseconds. Zero if measurement uncertainty or normal adjustment
 * explains it.
 */
function stepBetween(last: ClockReading, now: ClockReading): number {
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
/**
 * A jump forward is not undone: records made since would lie in the future. Code that counts back across the jump
 * leaves it out.
 */
const jumpForward = `
  update steady_clock set jumped_at = clock_timestamp() + ahead, jump = jump + make_interval(secs => $1::float8 / 1000),
    version = version + 1
  where version = $2`

/**
 * Handles a wall clock that was set back while no process was running: time continues from the newest record of the
 * running events.
 */
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
