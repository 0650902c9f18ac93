import { createMailTransport, type MailSending, sendDueMails } from '#features/mail/server/mail.service.ts'
import { mailLinks } from '../link-sources.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { secretKey, type TestServer } from './test-server.ts'

/** The worker's part, run when the test says so: everything that is due goes to the mailboxes of the simulator. */
export async function sendMails({ db, config }: TestServer, over: Partial<MailSending> = {}): Promise<void> {
  await sendDueMails({
    system: db,
    transport: createMailTransport(db, config),
    ...mailLinks(db, deriveSecrets(secretKey), config.appUrl),
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
