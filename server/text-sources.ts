import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { linkToken } from '#features/events/server/event-texts.service.ts'
import type { MailSending } from '#features/mail/server/mail.service.ts'
import { noticeToken } from '#features/peeps/server/access/send-notices.service.ts'
import { linkCode } from '#features/self-report/server/links/link-codes.ts'
import { mobileToken } from '#features/sign-in/server/mobile-link.service.ts'
import type { TextSources } from '#features/texts/server/sms.service.ts'
import { fillLink, fillSelfLink } from '#features/texts/server/wording.service.ts'
import type { Secrets } from './platform/secrets.ts'

/** What the features that write texts provide to the worker that sends them. */
export const textSources = ({
  links,
  mobileLinks,
  selfLinks,
  planNotices,
}: Pick<Secrets, 'links' | 'mobileLinks' | 'selfLinks' | 'planNotices'>): TextSources => ({
  tokens: {
    reportIn: (uid) => linkToken(links, uid),
    signIn: (uid) => mobileToken(mobileLinks, uid),
    self: (uid) => linkCode(selfLinks, uid),
    planNotice: (uid) => noticeToken(planNotices, uid),
  },
  writeBroadcastPage,
})

/** The same links in mails to those who do not answer. */
export const filledLinks = (
  { links, selfLinks }: Pick<Secrets, 'links' | 'selfLinks'>,
  appUrl: string,
): Pick<MailSending, 'fillReportIn' | 'fillOwnPage'> => ({
  fillReportIn: (body, uid) => fillLink(body, appUrl, 'reportInToken', linkToken(links, uid)),
  fillOwnPage: (body, uid) => fillSelfLink(body, appUrl, linkCode(selfLinks, uid)),
})
