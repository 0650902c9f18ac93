import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { linkToken } from '#features/events/server/event-texts.service.ts'
import type { MailSending } from '#features/mail/server/mail.service.ts'
import { noticeLink, noticeToken } from '#features/peeps/server/access/send-notices.service.ts'
import { linkCode } from '#features/self-report/server/links/link-codes.ts'
import { invitationLink, invitationToken } from '#features/sign-in/server/invitations/invitations.service.ts'
import { mobileToken } from '#features/sign-in/server/mobile-link.service.ts'
import { resetLink, resetToken } from '#features/sign-in/server/password-reset/password-reset.service.ts'
import type { TextSources } from '#features/texts/server/sms.service.ts'
import { fillLink, fillSelfLink } from '#features/texts/server/wording.service.ts'
import { findIssued } from './link-sources.queries.ts'
import type { Db } from './platform/db/db.ts'
import { type Keyring, keyring, type Secrets, sha256 } from './platform/secrets.ts'

type TokenOf = (key: Uint8Array, uid: string) => string

/**
 * Finds the key with which a link was made: while SECRET_KEY changes, another node may have written the text or mail. With one
 * key nothing is looked up.
 */
const makerOf =
  (system: Db, keys: Keyring, tokenOf: TokenOf) =>
  async (uid: string): Promise<Uint8Array> => {
    if (keys.length === 1) return keys[0]
    const hashes = keys.map((key) => sha256(tokenOf(key, uid)))
    const issued = await findIssued(system, hashes)
    return keys[hashes.findIndex((hash) => issued?.equals(hash))] ?? keys[0]
  }

const tokensOf = (system: Db, keys: Keyring, tokenOf: TokenOf) => {
  const findMaker = makerOf(system, keys, tokenOf)
  return async (uid: string) => tokenOf(await findMaker(uid), uid)
}

/** What the features that write texts provide to the worker that sends them. */
export function textSources(
  system: Db,
  secrets: Pick<Secrets, 'links' | 'mobileLinks' | 'selfLinks' | 'planNotices' | 'former'>,
): TextSources {
  return {
    tokens: {
      reportIn: tokensOf(system, keyring(secrets, 'links'), linkToken),
      signIn: tokensOf(system, keyring(secrets, 'mobileLinks'), mobileToken),
      self: tokensOf(system, keyring(secrets, 'selfLinks'), linkCode),
      planNotice: tokensOf(system, keyring(secrets, 'planNotices'), noticeToken),
    },
    writeBroadcastPage,
  }
}

type MailLinks = Pick<MailSending, 'linkOf' | 'invitationLinkOf' | 'planNoticeLinkOf' | 'fillReportIn' | 'fillOwnPage'>

/** The links of mails, made when they are sent. */
export function mailLinks(
  system: Db,
  secrets: Pick<Secrets, 'passwordResets' | 'invitations' | 'planNotices' | 'links' | 'selfLinks' | 'former'>,
  appUrl: string,
): MailLinks {
  type LinkOf = (key: Uint8Array, appUrl: string) => (uid: string) => string
  const linksOf = (keys: Keyring, tokenOf: TokenOf, linkOf: LinkOf) => {
    const findMaker = makerOf(system, keys, tokenOf)
    return async (uid: string) => linkOf(await findMaker(uid), appUrl)(uid)
  }
  const reportIn = tokensOf(system, keyring(secrets, 'links'), linkToken)
  const self = tokensOf(system, keyring(secrets, 'selfLinks'), linkCode)
  return {
    fillReportIn: async (body, uid) => fillLink(body, appUrl, 'reportInToken', await reportIn(uid)),
    fillOwnPage: async (body, uid) => fillSelfLink(body, appUrl, await self(uid)),
    linkOf: linksOf(keyring(secrets, 'passwordResets'), resetToken, resetLink),
    invitationLinkOf: linksOf(keyring(secrets, 'invitations'), invitationToken, invitationLink),
    planNoticeLinkOf: linksOf(keyring(secrets, 'planNotices'), noticeToken, noticeLink),
  }
}
