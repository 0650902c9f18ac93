import { fromKysely, PgBoss } from 'pg-boss'
import { forRoles } from './database-roles.ts'
import type { Connection, Tx } from './db.ts'

const soon = { notify: true, expireInSeconds: 60, retryLimit: 2, retentionSeconds: 3_600, deleteAfterSeconds: 3_600 }

/**
 * `texts`: some text is due; `replies`: somebody wrote to us, which must not wait until a hundred thousand texts have left;
 * `mails`: some mail. `housekeeping`: nightly.
 */
const queues = {
  texts: soon,
  replies: soon,
  mails: { ...soon, expireInSeconds: 120 },
  housekeeping: { expireInSeconds: 3_600, retryLimit: 3 },
}
type Soon = Exclude<keyof typeof queues, 'housekeeping'>

export interface JobQueue {
  /** Puts a job into the caller's transaction: it is there if, and only if, the change is committed. Ids only. */
  enqueue(tx: Tx, queue: Soon, ids: Record<string, string>): Promise<void>
}
export interface JobWork {
  /** Once a night: deletes what is kept no longer. */
  housekeeping: () => Promise<void>
  /**
   * Does whatever texts are due. Asked by a job, and now and then for what a killed worker left. Told to stop, it ends
   * what it has begun.
   */
  texts: (stopping: AbortSignal) => Promise<void>
  /** The same for what people have written to us, and for mails. */
  replies: (stopping: AbortSignal) => Promise<void>
  mails: (stopping: AbortSignal) => Promise<void>
  /** At once and each minute, in every process that works. */
  minutely?: () => Promise<void>
  sweepMs?: number
}
export interface Jobs extends JobQueue {
  /** From now on this process works, too. */
  work(work: JobWork): Promise<void>
  /** Looks for due texts now, not at the next sweep. Does nothing in a process that does not work. */
  sweepTexts(): void
  stop(): Promise<void>
}

/**
 * Background jobs in PostgreSQL (pg-boss). Every process may enqueue. A job carries ids only, the row it names is the
 * truth, and a job may come twice.
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
  // a connection that the database cuts while both go down is no news
  boss.on('error', (error) => stopping.aborted || onTrouble(error))
  await boss.start()
  for (const [name, settings] of Object.entries(queues)) await boss.createQueue(name, settings)
  await boss.getDb().executeSql(forRoles(letOthersEnqueue, roles))
  let sweeps: Record<Soon | 'minutely', Sweep> | undefined
  return {
    async enqueue(tx, queue, ids) {
      // without plugins: pg-boss reads the columns by the names it gave them
      await boss.send(queue, ids, { db: fromKysely(tx.withoutPlugins()) })
    },
    async work({ housekeeping, texts, replies, mails, minutely = async () => {}, sweepMs = 5_000 }) {
      await boss.schedule('housekeeping', '17 3 * * *')
      await boss.work('housekeeping', { batchSize: 1 }, housekeeping)
      await boss.work('texts', wakeful, () => texts(stopping))
      await boss.work('replies', wakeful, () => replies(stopping))
      await boss.work('mails', wakeful, () => mails(stopping))
      sweeps = {
        texts: sweep(() => texts(stopping), sweepMs, onTrouble),
        replies: sweep(() => replies(stopping), sweepMs, onTrouble),
        mails: sweep(() => mails(stopping), sweepMs, onTrouble),
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

/** Retries are not notified, and an idle worker with notices would look for them only every half minute. */
const wakeful = { batchSize: 50, burstWhenBatchFull: true, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 }

/** The application's roles put jobs in and see nothing else of the queue. Processes that start at once take turns. */
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

/** At once, for what was left when the last process ended, and ever again. One at a time; asked meanwhile, once more. */
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
