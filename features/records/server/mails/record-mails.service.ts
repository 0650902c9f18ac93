import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { fill } from '#server/platform/fill.ts'
import type { Of } from '../count/facts.queries.ts'
import { type ActionMail, listActionMails } from './action-mails.queries.ts'
import { closingMail } from './closing-mail.ts'
import { listManagers, listUnmailed, takeUnmailed } from './record-mails.queries.ts'

export interface RecordMailing {
  system: Db
  config: Pick<Config, 'mail' | 'appUrl'>
  jobs: JobQueue
  /** The verifier key that signs logs now. */
  key: string
}

const dayMs = 86_400_000

/** Queues closing mails and action mails that are due. Any number of workers may run at once. Without a mail server nothing is queued. */
export async function mailAboutRecords(
  app: RecordMailing,
  onTrouble: (error: unknown) => void,
  now: Date = new Date(),
): Promise<void> {
  if (!app.config.mail) return
  for (const of of await listUnmailed(app.system)) await mailClosing(app, of, now).catch(onTrouble)
  for (const mail of await listActionMails(app.system, now)) await mailAction(app, mail, now).catch(onTrouble)
}

/** The note that it is mailed and the mails share a transaction, so that each manager gets one. */
function mailClosing({ system, config, jobs, key }: RecordMailing, of: Of, now: Date): Promise<void> {
  return system.transaction().execute(async (tx) => {
    const mailed = await takeUnmailed(tx, of)
    if (!mailed) return
    const mail = closingMail(mailed, { link: linkOf(config, of.eventUid), key })
    for (const { accountUid, email } of await listManagers(tx, of))
      await queueMail(jobs, tx, {
        kind: 'record',
        accountUid,
        toEmail: email,
        ...mail,
        passwordResetUid: null,
        validUntil: new Date(now.getTime() + 6 * dayMs),
      })
  })
}

/** The key of the mail lets one through. */
function mailAction({ system, config, jobs }: RecordMailing, action: ActionMail, now: Date): Promise<void> {
  const { onceKey, accountUid, email, what, isDue, number, siteName, eventUid } = action
  const day = new Date(`${action.due}T00:00Z`)
  const date = day.toLocaleDateString('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
  return system.transaction().execute((tx) =>
    queueMail(jobs, tx, {
      kind: 'action',
      accountUid,
      toEmail: email,
      onceKey,
      passwordResetUid: null,
      subject: fill('{why}: {what}', { why: isDue ? 'Due today' : 'Action for you', what }),
      body: fill('Due {date}. From Record {number} at {site}.\n{address}', {
        date,
        number,
        site: siteName,
        address: linkOf(config, eventUid),
      }),
      // 'Due today' is wrong tomorrow
      validUntil: new Date(now.getTime() + (isDue ? dayMs / 2 : 6 * dayMs)),
    }),
  )
}

const linkOf = ({ appUrl }: Pick<Config, 'appUrl'>, eventUid: string) => `${appUrl}/event/records/${eventUid}`
