import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'

/** What mails need. Without a mail server nothing is queued. */
export type Mailing = Pick<Services, 'config' | 'jobs'> & { now: Date }

const noticeHours = 24
const invitationDays = 7

interface Organisation {
  name: string
  timezone: string
}

/** The instant in the organisation's zone with its short name. */
const timeIn = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-AU', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(now)

const signed = (text: string, organisation: Organisation) => `${text}\n\n${organisation.name}, All Wardens`

/** 'You are an administrator of …': with a link for a first password, or with the address of the sign-in. */
export async function mailAppointed(
  { config, jobs, now }: Mailing,
  tx: Tx,
  organisation: Organisation,
  to: { accountUid: string; email: string; invitationUid: string | null },
): Promise<void> {
  if (!config.mail || !to.email) return
  const days = to.invitationUid ? invitationDays : 1
  await queueMail(jobs, tx, {
    kind: to.invitationUid ? 'invitation' : 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject: `You are an administrator of ${organisation.name}`,
    body: signed(
      to.invitationUid
        ? `Set your password within ${invitationDays} days: {link}`
        : `Sign in: ${config.appUrl}/console/sign-in`,
      organisation,
    ),
    passwordResetUid: null,
    invitationUid: to.invitationUid,
    validUntil: new Date(now.getTime() + days * 86_400_000),
  })
}

/** '2026-11-23' as '23 Nov 2026'. */
export const dayOf = (day: string) =>
  new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(day),
  )

/** '… asks you to be …': with a link for a first password, or with the address of the sign-in. */
export async function mailAsked(
  { config, jobs, now }: Mailing,
  tx: Tx,
  organisation: Organisation,
  to: { accountUid: string; email: string; invitationUid: string | null },
  { role, from, to: until, place }: { role: string; from: string; to: string; place: string },
): Promise<void> {
  const act = to.invitationUid
    ? `Set your password within ${invitationDays} days: {link}`
    : `Sign in: ${config.appUrl}/login`
  await queueMail(jobs, tx, {
    kind: to.invitationUid ? 'invitation' : 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject: `${organisation.name} asks you to be ${role}`,
    body: signed(`${dayOf(from)} to ${dayOf(until)}, ${place}. ${act}`, organisation),
    passwordResetUid: null,
    invitationUid: to.invitationUid,
    validUntil: new Date(now.getTime() + invitationDays * 86_400_000),
  })
}

/** Who did it and when: 'If you did not ask for this, call them.' */
export async function mailNotice(
  { config, jobs, now }: Mailing,
  tx: Tx,
  organisation: Organisation,
  { to, subject, by }: { to: { accountUid: string | null; email: string | null }; subject: string; by: string },
): Promise<void> {
  if (!config.mail || !to.email) return
  await queueMail(jobs, tx, {
    kind: 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject,
    body: signed(
      `By ${by}, ${timeIn(now, organisation.timezone)}. If you did not ask for this, call them.`,
      organisation,
    ),
    passwordResetUid: null,
    invitationUid: null,
    validUntil: new Date(now.getTime() + noticeHours * 3_600_000),
  })
}

/** Their end waits. `by`: null for a command or a directory. */
export async function mailLast(
  { config, jobs, now }: Mailing,
  tx: Tx,
  organisation: Organisation,
  { to, by }: { to: { accountUid: string | null; email: string | null }; by: string | null },
): Promise<void> {
  if (!config.mail || !to.email) return
  const asked = by ? `${by} has asked to deactivate you.` : 'Your account is to be deactivated.'
  const waits = `This waits until another administrator is appointed: ${config.appUrl}/console/administrators`
  await queueMail(jobs, tx, {
    kind: 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject: `You are the last administrator of ${organisation.name}`,
    body: signed(`${asked} ${waits}`, organisation),
    passwordResetUid: null,
    invitationUid: null,
    validUntil: new Date(now.getTime() + noticeHours * 3_600_000),
  })
}
