import { fromKysely, PgBoss } from 'pg-boss'
import { forRoles } from './database-roles.ts'
import type { Connection, Tx } from './db.ts'

const soon = { notify: true, expireInSeconds: 60, retryLimit: 2, retentionSeconds: 3_600, deleteAfterSeconds: 3_600 }

/**
 * `texts`: some text is due. `replies`: an incoming text; has its own queue so as not to wait behind 100,000 outgoing
 * texts. `mails`: some mail is due. `uploads`: tables are to be checked or applied. `exports`: a file of a record
 * is to be made. `directory_exports`: an archive of an organisation is. `housekeeping`: nightly.
 */
const queues = {
  texts: soon,
  replies: soon,
  mails: { ...soon, expireInSeconds: 120 },
  uploads: { ...soon, retryLimit: 0 },
  exports: { ...soon, retryLimit: 0 },
  directory_exports: { ...soon, retryLimit: 0 },
  housekeeping: { expireInSeconds: 3_600, retryLimit: 3 },
}
type Soon = Exclude<keyof typeof queues, 'housekeeping'>

export interface JobQueue {
  /** Adds a job in the caller's transaction: the job exists if and only if the change is committed. Ids only. */
  enqueue(tx: Tx, queue: Soon, ids: Record<string, string>): Promise<void>
}
/** What every worker process does over and over. A job of the queue of its name runs it at once. */
interface Chore {
  /** May run twice, and in two workers at once. On abort it finishes what it has begun. */
  run: (stopping: AbortSignal) => Promise<unknown>
  /** Milliseconds between two runs. Default: `sweepMs`. The first one is at the start, for what a killed worker left. */
  everyMs?: number
  /** Its jobs run it themselves, also beside a regular run. Not for work of minutes: such a job would be given to another worker. */
  inJob?: true
}
/** By name. Each queue has one. */
export type Chores = Readonly<Record<Soon, Chore> & Record<string, Chore>>
export interface JobWork {
  /** Runs once a night: deletes data past its retention. */
  nightly: () => Promise<void>
  /** A process of a test may have some of them. */
  chores: Readonly<Record<string, Chore>>
  sweepMs?: number
}
export interface Jobs extends JobQueue {
  /** Makes this process a worker. */
  work(work: JobWork): Promise<void>
  /** Looks for due texts now instead of at the next sweep. Does nothing in a process that is not a worker. */
  sweepTexts(): void
  stop(): Promise<void>
}

/**
 * Background jobs in PostgreSQL (pg-boss). Every process may enqueue. A job carries ids only; the row is authoritative.
 * A job may run twice.
 */
export async function openJobs(
  { roles, ...address }: Connection,
  { works, onTrouble }: { works: boolean; onTrouble: (error: unknown) => void },
): Promise<Jobs> {
  const boss = new PgBoss({
    ...address,
    application_name: 'evac_jobs',
    max: works ? 3 : 1,
    useListenNotify: works,
    supervise: works,
    superviseIntervalSeconds: 10,
    schedule: works,
  })
  const stop = new AbortController()
  const stopping = stop.signal
  // connections that break during shutdown are expected
  boss.on('error', (error) => stopping.aborted || onTrouble(error))
  await boss.start()
  for (const [name, settings] of Object.entries(queues)) await boss.createQueue(name, settings)
  await boss.getDb().executeSql(forRoles(letOthersEnqueue, roles))
  const sweeps = new Map<string, Sweep>()
  return {
    async enqueue(tx, queue, ids) {
      // without plugins: pg-boss reads the columns under its own names
      await boss.send(queue, ids, { db: fromKysely(tx.withoutPlugins()) })
    },
    async work({ nightly, chores, sweepMs = 5_000 }) {
      await boss.schedule('housekeeping', '17 3 * * *')
      await boss.work('housekeeping', { batchSize: 1 }, nightly)
      for (const [name, { run, inJob }] of Object.entries(chores))
        if (name in queues)
          await boss.work(name, wakeful, inJob ? () => run(stopping) : async () => sweeps.get(name)?.now())
      for (const [name, { run, everyMs = sweepMs }] of Object.entries(chores))
        sweeps.set(
          name,
          sweep(() => run(stopping), everyMs, onTrouble),
        )
    },
    sweepTexts: () => sweeps.get('texts')?.now(),
    async stop() {
      stop.abort()
      await Promise.all([...sweeps.values()].map((each) => each.stop()))
      await boss.stop({ graceful: works, timeout: 5_000 })
    },
  }
}

/** Retries send no notification. An idle worker that relies on notifications polls only every 30 s. */
const wakeful = { batchSize: 50, burstWhenBatchFull: true, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 }

/**
 * Lets the application's roles insert jobs and read nothing else of the queue. Processes that start at once take turns.
 */
const letOthersEnqueue = `do $$ begin
  perform pg_advisory_xact_lock(hashtext('evac_jobs'));
  if not has_table_privilege('evac_app'::regrole, 'pgboss.job_common', 'insert') then
    grant usage on schema pgboss to evac_app, evac_system;
    grant select on pgboss.queue to evac_app, evac_system;
    grant insert, select (id, start_after) on pgboss.job_common to evac_app, evac_system;
  end if;
end $$`

interface Sweep {
  now: () => void
  stop: () => Promise<void>
}

/**
 * Runs at once, for work left by the last process, then repeatedly. Never in parallel; a request during a run causes
 * one more run.
 */
function sweep(work: () => Promise<unknown>, everyMs: number, onTrouble: (error: unknown) => void): Sweep {
  let running: Promise<unknown> | undefined
  let isAskedAgain = false
  function now() {
    isAskedAgain = running !== undefined
    running ??= work()
      .catch(onTrouble)
      .finally(() => {
        running = undefined
        if (isAskedAgain) now()
      })
  }
  now()
  const timer = setInterval(now, everyMs)
  async function stop() {
    clearInterval(timer)
    isAskedAgain = false
    await running
  }
  return { now, stop }
}
