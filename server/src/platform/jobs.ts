import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Connection, Pool, Tx } from './db.ts'

/** `texts`: some text is due; `mails`: some mail. `housekeeping`: nightly. */
const queues = {
  texts: { notify: true, expireInSeconds: 60, retryLimit: 2, retentionSeconds: 3_600, deleteAfterSeconds: 3_600 },
  mails: { notify: true, expireInSeconds: 120, retryLimit: 2, retentionSeconds: 3_600, deleteAfterSeconds: 3_600 },
  housekeeping: { expireInSeconds: 60, retryLimit: 3 },
}

export interface JobQueue {
  /** Puts a job into the caller's transaction: it is there if, and only if, the change is committed. Ids only. */
  enqueue(tx: Tx, queue: 'texts' | 'mails', ids: Record<string, string>): Promise<void>
}
export interface JobWork {
  system: Pool
  /** Does whatever texts are due. Asked by a job, and now and then for what a killed worker left. */
  texts: () => Promise<void>
  /** The same for mails. */
  mails: () => Promise<void>
  sweepMs?: number
}
export interface Jobs extends JobQueue {
  /** From now on this process works, too. */
  work(work: JobWork): Promise<void>
  stop(): Promise<void>
}

/**
 * Background jobs in PostgreSQL (pg-boss). Every process may enqueue. A job carries ids only, the row it names is the
 * truth, and a job may come twice.
 */
export async function openJobs(
  connection: Connection,
  { works, onTrouble }: { works: boolean; onTrouble: (error: unknown) => void },
): Promise<Jobs> {
  const boss = new PgBoss({
    ...connection,
    application_name: 'evac_jobs',
    max: works ? 3 : 1,
    useListenNotify: works,
    supervise: works,
    superviseIntervalSeconds: 10,
    schedule: works,
  })
  let isStopping = false
  // a connection that the database cuts while both go down is no news
  boss.on('error', (error) => isStopping || onTrouble(error))
  await boss.start()
  for (const [name, settings] of Object.entries(queues)) await boss.createQueue(name, settings)
  await boss.getDb().executeSql(letOthersEnqueue)
  let stopSweeping = async () => {}
  return {
    async enqueue(tx, queue, ids) {
      // without plugins: pg-boss reads the columns by the names it gave them
      await boss.send(queue, ids, { db: fromKysely(tx.withoutPlugins()) })
    },
    async work({ system, texts, mails, sweepMs = 5_000 }) {
      await boss.schedule('housekeeping', '17 3 * * *')
      await boss.work('housekeeping', { batchSize: 1 }, () => clearExpired(system))
      await boss.work('texts', wakeful, texts)
      await boss.work('mails', wakeful, mails)
      const sweeps = [texts, mails].map((work) => sweep(work, sweepMs, onTrouble))
      stopSweeping = async () => void (await Promise.all(sweeps.map((stop) => stop())))
    },
    async stop() {
      isStopping = true
      await stopSweeping()
      await boss.stop({ graceful: works, timeout: 5_000 })
    },
  }
}

/** Retries are not notified, and an idle worker with notices would look for them only every half minute. */
const wakeful = { batchSize: 50, burstWhenBatchFull: true, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 }

/** The application's roles put jobs in and see nothing else of the queue. Processes that start at once take turns. */
const letOthersEnqueue = `do $$ begin
  perform pg_advisory_xact_lock(hashtext('evac_jobs'));
  if not has_table_privilege('evac_app', 'pgboss.job_common', 'insert') then
    grant usage on schema pgboss to evac_app, evac_system;
    grant select on pgboss.queue to evac_app, evac_system;
    grant insert, select (id, start_after) on pgboss.job_common to evac_app, evac_system;
  end if;
end $$`

/** At once, for what was left when the last process ended, and ever again. */
function sweep(work: () => Promise<void>, everyMs: number, onTrouble: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | undefined
  const start = () => {
    running ??= work()
      .catch(onTrouble)
      .finally(() => {
        running = undefined
      })
  }
  start()
  const timer = setInterval(start, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Sessions a month old; mails, keys, throttles and what providers said a week old: nothing that still decides anything. */
async function clearExpired(system: Pool): Promise<void> {
  await sql`delete from session where expires_at < now() - interval '30 days'`.execute(system.db)
  await sql`delete from mobile_token where expires_at < now() - interval '1 day'`.execute(system.db)
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(system.db)
  await sql`delete from mail where created_at < now() - interval '7 days'`.execute(system.db)
  await sql`delete from simulated_mail where received_at < now() - interval '7 days'`.execute(system.db)
  await sql`delete from idempotency where recorded_at < now() - interval '7 days'`.execute(system.db)
  await sql`delete from throttle where window_start < now() - interval '7 days'`.execute(system.db)
  await sql`delete from recent_attempt where at[cardinality(at)] < now() - interval '1 day'`.execute(system.db)
  await sql`delete from received_reply where received_at < now() - interval '7 days'`.execute(system.db)
  await sql`delete from sms_part where noted_at < now() - interval '7 days'`.execute(system.db)
  await sql`delete from inbound_text where passed_on_at < now() - interval '7 days'`.execute(system.db)
  await sql`delete from simulated_text where received_at < now() - interval '7 days'`.execute(system.db)
}
