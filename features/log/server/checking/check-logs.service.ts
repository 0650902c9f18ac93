import { setTimeout as delay } from 'node:timers/promises'
import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { fill } from '#server/platform/fill.ts'
import { nameOfEvent } from '../head-mails/event-name.ts'
import type { LogOf } from '../sealing.queries.ts'
import { checkLog, type ReadAdditions } from './check-log.ts'
import * as queries from './check-logs.queries.ts'

/** For so many parts of the time that a check works it lets others work. */
const restParts = 4
/** A night's work ends after this. The next night begins with the logs that were looked at longest ago. */
const nightMs = 50 * 60_000
const dayMs = 86_400_000

/** Checks the logs that are due with at most a fifth of a core. Any number of nodes may run it. */
export async function checkDueLogs(
  system: Db,
  readAdditions: ReadAdditions,
  onTrouble: (error: unknown) => void,
  stopAfterMs = nightMs,
): Promise<void> {
  const until = performance.now() + stopAfterMs
  while (performance.now() < until) {
    const of = await queries.takeDue(system)
    if (!of) return
    await check(system, of, readAdditions, restingPause()).catch(onTrouble)
  }
}

/** Checks every log at once. Tells of each; returns how many do not fit, those of which only a head is left included. */
export async function checkAllLogs(
  system: Db,
  readAdditions: ReadAdditions,
  tell: (line: string) => void,
): Promise<{ logs: number; broken: number }> {
  const [begun, count] = [new Date(), { logs: 0, broken: 0 }]
  for (let of = await queries.takeDue(system, begun); of; of = await queries.takeDue(system, begun)) {
    const { size, trouble } = await check(system, of, readAdditions, async () => undefined)
    count.logs++
    if (trouble) count.broken++
    if (trouble) tell(`BROKEN  event ${of.eventUid}, ${size} entries: ${trouble}`)
  }
  for (const { eventUid, serial, size, root } of await queries.listGone(system)) {
    count.broken++
    tell(`BROKEN  event ${eventUid}: Log ${serial ?? ''} is not here: its head was ${size} ${root}.`)
  }
  return count
}

async function check(system: Db, of: LogOf, readAdditions: ReadAdditions, pause: () => Promise<unknown>) {
  // of one moment: what is erased meanwhile is not missing
  const found = await system
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => checkLog(tx, of, { readAdditions, pause }))
  await queries.noteChecked(system, of, found.size, found.trouble)
  return found
}

function restingPause(): () => Promise<unknown> {
  let since = performance.now()
  return async () => {
    await delay((performance.now() - since) * restParts)
    since = performance.now()
  }
}

interface Telling {
  system: Db
  config: Pick<Config, 'mail' | 'appUrl'>
  jobs: JobQueue
}

/** Tells administrators of the organisation of a log that does not fit, once for each trouble. Without a mail server no one is told. */
export async function mailAboutLogs(app: Telling, onTrouble: (error: unknown) => void): Promise<void> {
  if (!app.config.mail) return
  for (const of of await queries.listUntold(app.system)) await mailTrouble(app, of).catch(onTrouble)
}

const mailTrouble = ({ system, config, jobs }: Telling, of: LogOf): Promise<void> =>
  system.transaction().execute(async (tx) => {
    const trouble = await queries.takeUntold(tx, of)
    if (trouble === undefined) return
    const subject = fill('{drill}The log of {type} at {site}, {date}, does not fit', await nameOfEvent(tx, of))
    for (const { accountUid, email } of await queries.listAdministrators(tx, of))
      await queueMail(jobs, tx, {
        kind: 'record',
        accountUid,
        toEmail: email,
        subject,
        body: `This record does not match its log. ${trouble}\n\nKeep every log head you have, and tell the person who runs the server.\n${config.appUrl}/event/records/${of.eventUid}`,
        passwordResetUid: null,
        validUntil: new Date(Date.now() + 6 * dayMs),
      })
  })
