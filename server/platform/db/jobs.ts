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
export interface JobWork {
  /** Runs once a night: deletes data past its retention. */
  housekeeping: () => Promise<void>
  /**
   * Sends all texts that are due. Runs for each job, and regularly for texts that a killed worker left. On abort,
   * finishes the texts it has begun.
   */
  texts: (stopping: AbortSignal) => Promise<void>
  /** The same for incoming texts and for mails. */
  replies: (stopping: AbortSignal) => Promise<void>
  mails: (stopping: AbortSignal) => Promise<void>
  /** Texts messages that no one has opened. Runs every few seconds, in every worker process. */
  unopened?: () => Promise<void>
  /** Watches command and instructions. Runs every few seconds, in every worker process. */
  command?: () => Promise<void>
  /** Checks and applies tables. Runs for each job, and every few seconds for those that a killed worker left. */
  uploads?: (stopping: AbortSignal) => Promise<void>
  /** Makes files of records, one at a time. Runs for each job, and every few seconds. */
  exports?: (stopping: AbortSignal) => Promise<void>
  /** The same for archives of organisations. */
  directoryExports?: (stopping: AbortSignal) => Promise<void>
  /** Writes the records of ended events. Runs every few seconds, in every worker process. */
  records?: (stopping: AbortSignal) => Promise<void>
  /** Seals and signs the logs of events. Runs every ten seconds, in every worker process. */
  sealing?: () => Promise<void>
  /** Makes changes whose wardens have left their post. Runs every few seconds, in every worker process. */
  waiting?: () => Promise<void>
  /** Runs at the start and then once a minute, in every worker process. */
  minutely?: () => Promise<void>
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
  let sweeps: Record<Soon | 'unopened' | 'command' | 'waiting' | 'records' | 'sealing' | 'minutely', Sweep> | undefined
  return {
    async enqueue(tx, queue, ids) {
      // without plugins: pg-boss reads the columns under its own names
      await boss.send(queue, ids, { db: fromKysely(tx.withoutPlugins()) })
    },
    async work({
      housekeeping,
      texts,
      replies,
      mails,
      unopened = nothing,
      command = nothing,
      waiting = nothing,
      records = nothing,
      uploads = nothing,
      exports = nothing,
      directoryExports = nothing,
      sealing = nothing,
      minutely = nothing,
      sweepMs = 5_000,
    }) {
      await boss.schedule('housekeeping', '17 3 * * *')
      await boss.work('housekeeping', { batchSize: 1 }, housekeeping)
      await boss.work('texts', wakeful, () => texts(stopping))
      await boss.work('replies', wakeful, () => replies(stopping))
      await boss.work('mails', wakeful, () => mails(stopping))
      // the sweep works: a job that runs for minutes would be given to another worker
      await boss.work('uploads', wakeful, async () => sweeps?.uploads.now())
      await boss.work('exports', wakeful, async () => sweeps?.exports.now())
      await boss.work('directory_exports', wakeful, async () => sweeps?.directory_exports.now())
      sweeps = {
        exports: sweep(() => exports(stopping), sweepMs, onTrouble),
        directory_exports: sweep(() => directoryExports(stopping), sweepMs, onTrouble),
        uploads: sweep(() => uploads(stopping), sweepMs, onTrouble),
        texts: sweep(() => texts(stopping), sweepMs, onTrouble),
        replies: sweep(() => replies(stopping), sweepMs, onTrouble),
        mails: sweep(() => mails(stopping), sweepMs, onTrouble),
        unopened: sweep(unopened, sweepMs, onTrouble),
        command: sweep(command, sweepMs, onTrouble),
        waiting: sweep(waiting, sweepMs, onTrouble),
        records: sweep(() => records(stopping), sweepMs, onTrouble),
        sealing: sweep(sealing, 10_000, onTrouble),
        minutely: sweep(minutely, 60_000, onTrouble),
      }
    },
    sweepTexts: () => sweeps?.texts.now(),
    async stop() {
      stop.abort()
      await Promise.all(Object.values(sweeps ?? {}).map((each) => each.stop()))
      await boss.stop({ graceful: works, timeout: 5_000 })
    },
  }
}

const nothing = async () => {}

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
function sweep(work: () => Promise<void>, everyMs: number, onTrouble: (error: unknown) => void): Sweep {
  let running: Promise<void> | undefined
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
