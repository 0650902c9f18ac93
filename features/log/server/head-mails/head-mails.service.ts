import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { fill } from '#server/platform/fill.ts'
import { keepMail } from '../../words.ts'
import { listKeys } from '../heads.queries.ts'
import type { LogOf } from '../sealing.queries.ts'
import { keyIdOf, verifierKey } from '../signed-note.ts'
import { nameOfEvent } from './event-name.ts'
import { listUnmailed, type Moment, takeUnmailed, type Unmailed } from './head-mails.queries.ts'

interface HeadMailing {
  system: Db
  config: Pick<Config, 'mail'>
  jobs: JobQueue
}

/** A mail that waits for its server for longer is given up. */
const patienceMs = 6 * 86_400_000

/**
 * Queues the mails of log heads that are due, to the addresses of each organisation. Any number of workers may run it: each head is
 * mailed once. Without a mail server nothing is queued.
 */
export async function mailHeads(app: HeadMailing, onTrouble: (error: unknown) => void): Promise<void> {
  if (!app.config.mail) return
  for (const { moment, ...of } of await listUnmailed(app.system)) await mailHead(app, of, moment).catch(onTrouble)
}

/** That it is mailed, the mails and the entry of the log share a transaction. */
const mailHead = ({ system, jobs }: HeadMailing, of: LogOf, moment: Moment): Promise<void> =>
  system.transaction().execute(async (tx) => {
    const head = await takeUnmailed(tx, of, moment)
    if (!head || head.addresses.length === 0) return
    const mail = await mailOf(tx, of, head)
    for (const toEmail of head.addresses)
      await queueMail(jobs, tx, {
        kind: 'record',
        accountUid: null,
        toEmail,
        ...mail,
        passwordResetUid: null,
        validUntil: new Date(Date.now() + patienceMs),
      })
    await record(tx, unattended(of.clientUid), {
      action: 'log_head_mailed',
      subjectType: 'event',
      subjectUid: of.eventUid,
      eventUid: of.eventUid,
      after: { size: head.size, root: head.root, addresses: head.addresses.length },
    })
  })

async function mailOf(tx: Tx, of: LogOf, { size, root, note }: Unmailed) {
  const signed = (await listKeys(tx)).find(({ keyId }) => keyId === keyIdOf(note))
  return {
    subject: fill('{drill}Log head of {type} at {site}, {date}', await nameOfEvent(tx, of)),
    body: [`${size} ${root}`, `Key: ${signed ? verifierKey(signed) : ''}`, keepMail].join('\n\n'),
  }
}
