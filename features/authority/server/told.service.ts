import { sql } from 'kysely'
import { queueMail } from '#features/mail/server/mail.service.ts'
import { insertTexts } from '#features/texts/server/queue.queries.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { didThis, ifUnexpected } from '../words.ts'
import { contactOf, getOrganisation, listFormerAddresses, type Organisation } from './told.queries.ts'

/** What telling needs beside the transaction. Without a mail server the old number is texted. */
export interface Telling {
  sends: { mails: boolean; texts: boolean }
  jobs: JobQueue
  now: Date
}

export const tellingOf = ({ config, jobs, now }: Pick<Services, 'config' | 'jobs'> & { now: Date }): Telling => ({
  sends: { mails: config.mail !== undefined, texts: config.smsGateways.length > 0 },
  jobs,
  now,
})

/** For commands and threads: the next sweep of a worker finds what is queued. */
export const sweptJobs: JobQueue = { enqueue: async () => undefined }

const noticeHours = 24

/** Whom to tell, at the addresses and the number from before the act. */
export interface Told {
  personUid: PersonUid
  accountUid: string | null
  emails: readonly (string | null)[]
  mobile: string | null
}

/** '{administrator} did this at {time}. If you did not expect it, call {contact}.', signed by the organisation. */
const bodyOf = (organisation: Organisation, by: string, now: Date) => {
  const time = new Intl.DateTimeFormat('en-AU', {
    timeZone: organisation.timezone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(now)
  return `${didThis(by, time)} ${ifUnexpected(contactOf(organisation))}`
}

/**
 * Tells people what was done to their sign-in: by mail to each address of the last 30 days, or by text to the number that they
 * had. No limit of mails holds it back.
 */
export async function tell(
  { sends, jobs, now }: Telling,
  tx: Tx,
  clientUid: ClientUid,
  { notices, by }: { notices: readonly { to: Told; subject: string }[]; by: string },
): Promise<void> {
  if (notices.length === 0) return
  const organisation = await getOrganisation(tx, clientUid)
  const body = bodyOf(organisation, by, now)
  const people = [...new Set(notices.map(({ to }) => to.personUid))]
  const former = Map.groupBy(await listFormerAddresses(tx, clientUid, people), ({ personUid }) => personUid)
  for (const { to, subject } of notices) {
    const all = [...to.emails, ...(former.get(to.personUid) ?? []).map(({ email }) => email)]
    const emails = new Map(all.flatMap((email) => (email ? [[email.toLowerCase(), email]] : [])))
    if (sends.mails && emails.size > 0)
      for (const toEmail of emails.values())
        await queueMail(jobs, tx, {
          kind: 'notice',
          accountUid: to.accountUid,
          toEmail,
          subject,
          passwordResetUid: null,
          body: `${body}\n\n${organisation.name}, All Wardens`,
          validUntil: new Date(now.getTime() + noticeHours * 3_600_000),
        })
    else if (to.mobile && sends.texts && organisation.smsAllowed)
      await textOld(jobs, tx, { clientUid, to, body: `All Wardens: ${subject}. ${body}` })
  }
}

/** To the number from before, which may not be the person's any more. It costs what an invitation by text costs. */
async function textOld(
  jobs: Telling['jobs'],
  tx: Tx,
  { clientUid, to, body }: { clientUid: ClientUid; to: Told; body: string },
) {
  const row = sql`select ${clientUid}::uuid as client_uid, null::uuid as event_uid, ${to.personUid}::uuid as person_uid,
    ${to.mobile}::text as mobile, (select 'SMS refused.' from sms_refusal x where x.mobile = ${to.mobile}) as obstacle`
  await insertTexts({ kind: 'offer', body }, row).execute(tx)
  await jobs.enqueue(tx, 'texts', { client_uid: clientUid })
}
