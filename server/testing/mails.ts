import { createMailTransport, type MailSending, sendDueMails } from '#features/mail/server/mail.service.ts'
import { noticeLink } from '#features/peeps/server/access/send-notices.service.ts'
import { invitationLink } from '#features/sign-in/server/invitations/invitations.service.ts'
import { resetLink } from '#features/sign-in/server/password-reset/password-reset.service.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { filledLinks } from '../text-sources.ts'
import { secretKey, type TestServer } from './test-server.ts'

/** The worker's part, run when the test says so: everything that is due goes to the mailboxes of the simulator. */
export async function sendMails({ db, config }: TestServer, over: Partial<MailSending> = {}): Promise<void> {
  await sendDueMails({
    system: db,
    transport: createMailTransport(db, config),
    linkOf: resetLink(deriveSecrets(secretKey).passwordResets, config.appUrl),
    invitationLinkOf: invitationLink(deriveSecrets(secretKey).invitations, config.appUrl),
    planNoticeLinkOf: noticeLink(deriveSecrets(secretKey).planNotices, config.appUrl),
    ...filledLinks(deriveSecrets(secretKey), config.appUrl),
    onTrouble: (error) => {
      throw error
    },
    ...over,
  })
}

/** What has arrived in a simulated mailbox, oldest first. */
export async function mailsTo({ db }: TestServer, email: string) {
  const mails = db.selectFrom('simulatedMail').select(['subject', 'body']).where('toEmail', '=', email)
  return mails.orderBy('receivedAt').execute()
}
