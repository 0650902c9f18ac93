import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { asValue, fill } from '#server/platform/fill.ts'

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

const signed = (text: string, { name }: Organisation) => text + fill('\n\n{name}, All Wardens', { name })

/** A line of its own, so that nothing that people wrote stands beside the link. */
const firstLink = (hasPassword: boolean) =>
  `Set ${hasPassword ? 'up your second factor' : 'your password'} within ${invitationDays} days:\n{link}`
const signIn = (address: string) => `Sign in:\n${address}`

/** 'You are an administrator of …': with a link for a first password, or with the address of the sign-in. */
export async function mailAppointed(
  { config, jobs, now }: Mailing,
  tx: Tx,
  organisation: Organisation,
  to: { accountUid: string; email: string; invitationUid: string | null; hasPassword: boolean },
): Promise<void> {
  if (!config.mail || !to.email) return
  const days = to.invitationUid ? invitationDays : 1
  await queueMail(jobs, tx, {
    kind: to.invitationUid ? 'invitation' : 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject: fill('You are an administrator of {name}', { name: organisation.name }),
    body: signed(
      to.invitationUid ? firstLink(to.hasPassword) : signIn(`${config.appUrl}/console/sign-in`),
      organisation,
    ),
    passwordResetUid: null,
    invitationUid: to.invitationUid,
    validUntil: new Date(now.getTime() + days * 86_400_000),
  })
}

const byItself =
  'All Wardens was upgraded, and sends you this by itself. A second factor is now set up through a link only, and you have none.'
const openLink = `Open this link within ${invitationDays} days and give your password:\n{link}`
const ifOver = 'If the link has ended, another administrator can invite you again.'

/**
 * The link with which an administrator who has a password sets up a second factor. `afterUpgrade`: no one has asked for it.
 */
export async function mailSecondFactor(
  { config, jobs, now }: Mailing,
  tx: Tx,
  organisation: Organisation,
  to: { accountUid: string; email: string; invitationUid: string },
  { afterUpgrade = false } = {},
): Promise<void> {
  if (!config.mail) return
  await queueMail(jobs, tx, {
    kind: 'invitation',
    accountUid: to.accountUid,
    toEmail: to.email,
    passwordResetUid: null,
    subject: fill('Set up your second factor for {name}', { name: organisation.name }),
    body: signed(afterUpgrade ? `${byItself}\n\n${openLink}\n\n${ifOver}` : openLink, organisation),
    invitationUid: to.invitationUid,
    validUntil: new Date(now.getTime() + invitationDays * 86_400_000),
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
  const days = fill('{from} to {to}, {place}.', { from: dayOf(from), to: dayOf(until), place })
  const act = to.invitationUid ? firstLink(false) : signIn(`${config.appUrl}/login`)
  await queueMail(jobs, tx, {
    kind: to.invitationUid ? 'invitation' : 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject: fill('{name} asks you to be {role}', { name: organisation.name, role }),
    body: signed(`${days} ${act}`, organisation),
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
    subject: asValue(subject),
    body: signed(
      fill('By {by}, {time}. If you did not ask for this, call them.', {
        by,
        time: timeIn(now, organisation.timezone),
      }),
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
  const asked = by ? fill('{by} has asked to deactivate you.', { by }) : 'Your account is to be deactivated.'
  const waits = `This waits until another administrator is appointed:\n${config.appUrl}/console/administrators`
  await queueMail(jobs, tx, {
    kind: 'notice',
    accountUid: to.accountUid,
    toEmail: to.email,
    subject: fill('You are the last administrator of {name}', { name: organisation.name }),
    body: signed(`${asked} ${waits}`, organisation),
    passwordResetUid: null,
    invitationUid: null,
    validUntil: new Date(now.getTime() + noticeHours * 3_600_000),
  })
}
