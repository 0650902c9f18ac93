import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { beginWhatArose } from './arise.queries.ts'
import { hurryAfterFailures, settleReaches } from './settle.queries.ts'
import { type Abilities, callSeconds, readSteadyTime, type SteadyTime, type Taken, takeSteps } from './steps.queries.ts'

/** What a subject adds to the ladder whose reaches it alone can judge. */
export interface ReachSource {
  /** Begins reaches that are due. May run in two workers at once. */
  begin: (system: Db) => Promise<void>
  /** Ends those that are due at that moment and are no longer meant. */
  settle: (system: Db, at: SteadyTime) => Promise<void>
}

export interface Reaching extends Abilities {
  system: Db
  jobs: JobQueue
  appUrl: string
  sources: readonly ReachSource[]
}

/**
 * Reaches people until they answer: takes every step that is due. The worker calls it each second. Any number of workers may
 * run it at once, and one that is killed loses and doubles nothing.
 */
export async function sweepReaches(reaching: Reaching): Promise<void> {
  const { system, sources } = reaching
  for (const { begin } of sources) await begin(system)
  await beginWhatArose(system)
  await settleReaches(system)
  const at = await readSteadyTime(system)
  for (const { settle } of sources) await settle(system, at)
  await callSeconds(system, at)
  await takeAll(reaching, at)
  await hurryAfterFailures(system, at)
  await takeAll(reaching, at)
}

async function takeAll(reaching: Reaching, at: SteadyTime): Promise<void> {
  while ((await takePage(reaching, at)) > 0);
}

const takePage = ({ system, jobs, appUrl, canPush, canCall }: Reaching, at: SteadyTime): Promise<number> =>
  system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const taken = await takeSteps(tx, { at, appUrl, canPush, canCall })
    for (const [eventUid, steps] of Map.groupBy(taken, (step) => step.eventUid)) await follow(tx, jobs, eventUid, steps)
    return taken.length
  })

/** Wakes those who send, and tells managers whom no step has reached. */
async function follow(tx: Tx, jobs: JobQueue, eventUid: Taken['eventUid'], steps: readonly Taken[]): Promise<void> {
  const count = (act: Taken['act']) => steps.filter((step) => step.act === act).length
  if (count('text') > 0) await jobs.enqueue(tx, 'texts', { event_uid: eventUid })
  if (count('mail') > 0) await jobs.enqueue(tx, 'mails', { event_uid: eventUid })
  const [first] = steps
  if (first && count('end') > 0)
    await record(tx, unattended(first.clientUid), {
      action: 'not_reached',
      subjectType: 'event',
      subjectUid: eventUid,
      eventUid,
      after: { people: count('end') },
    })
}
