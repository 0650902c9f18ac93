import type { Config } from '#server/platform/config/config.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import {
  type ClaimedMail,
  claimMails,
  insertMail,
  type MailOutcome,
  type NewMail,
  recordMailOutcomes,
} from './mail.queries.ts'
import { createMailSimulator } from './mail-simulator.transport.ts'
import { type MailTransport, noTransport } from './mail-transport.ts'
import { handOver, sendDue } from './outgoing.ts'
import { createSmtpTransport } from './smtp.transport.ts'

/** Number of concurrent connections to the mail server. */
const batchSize = 5
const patienceMs = 30_000

/** Queues a mail in the transaction of its change. It is sent after the commit. */
export async function queueMail(jobs: JobQueue, tx: Tx, mail: NewMail): Promise<void> {
  const uid = await insertMail(tx, mail)
  if (uid) await jobs.enqueue(tx, 'mails', { mail_uid: uid })
}

/** The configured transport. */
export function createMailTransport(system: Db, { mail, mailFrom }: Pick<Config, 'mail' | 'mailFrom'>): MailTransport {
  if (mail === 'simulator') return createMailSimulator(system)
  return mail ? createSmtpTransport(mail.smtpUrl, mailFrom) : noTransport
}

export interface MailSending {
  system: Db
  transport: MailTransport
  /** The receiver's own link, made when the mail is sent. */
  linkOf: (passwordResetUid: string) => Promise<string>
  invitationLinkOf: (invitationUid: string) => Promise<string>
  planNoticeLinkOf: (planNoticeUid: string) => Promise<string>
  /** The words with the own link of someone who is called, or with their own page. */
  fillReportIn: (body: string, linkUid: string) => Promise<string>
  fillOwnPage: (body: string, selfLinkUid: string) => Promise<string>
  onTrouble: (error: unknown) => void
}

/** Sends all due mails, the most urgent first. Any number of workers may run at once. */
export function sendDueMails(sending: MailSending, stopping?: AbortSignal): Promise<void> {
  return sendDue(
    batchSize,
    (count) => claimMails(sending.system, count),
    async (mails) => recordMailOutcomes(sending.system, await Promise.all(mails.map((mail) => send(sending, mail)))),
    stopping,
  )
}

async function send(sending: MailSending, mail: ClaimedMail): Promise<MailOutcome> {
  const { uid, toEmail, subject, attempts, over } = mail
  if (over) return { uid, ...ends[over], providerId: null, retrySeconds: null }
  const handed = await handOver(
    async () => sending.transport.send({ reference: uid, to: toEmail, subject, body: await fillIn(sending, mail) }),
    { attempts, patienceMs, unreachable: 'The mail server could not be reached.', onTrouble: sending.onTrouble },
  )
  return { uid, ...handed }
}

const ends = {
  'too late': { status: 'expired', reason: 'It could not be sent in time.' },
  'newer link': { status: 'skipped', reason: 'A newer link was requested.' },
  answered: { status: 'skipped', reason: 'No longer asked.' },
} as const

async function fillIn(sending: MailSending, { body, ...mail }: ClaimedMail): Promise<string> {
  const { passwordResetUid, invitationUid, planNoticeUid, reportInLinkUid, selfLinkUid } = mail
  const fill = (mark: string | RegExp, link: string) => body.replace(mark, () => link)
  if (passwordResetUid) return fill('{link}', await sending.linkOf(passwordResetUid))
  if (invitationUid) return fill('{link}', await sending.invitationLinkOf(invitationUid))
  if (reportInLinkUid) return sending.fillReportIn(body, reportInLinkUid)
  if (selfLinkUid) return sending.fillOwnPage(body, selfLinkUid)
  // the name of a site stands before the link
  return planNoticeUid ? fill(/\{link\}$/, await sending.planNoticeLinkOf(planNoticeUid)) : body
}
