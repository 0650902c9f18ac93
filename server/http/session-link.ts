import { findAdministratorOf } from '../administrators/live-console-session.ts'
import { keyring } from '../platform/secrets.ts'
import { isGoodLink, signedLink } from '../platform/signed-link.ts'
import { isLiveSession } from '../wardens/live-session.ts'
import type { Services } from './services.ts'
import type { Reader } from './warden-or-administrator.ts'

interface Of {
  /** What the link opens. */
  subject: string
  url: string
  minutes: number
}

const subjectOf = (subject: string, sessionUid: string) => `${subject}/${sessionUid}`

/** A signed link that ends with the session for which it is made. The uid of a session opens nothing by itself. */
export function sessionLink(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  { sessionUid }: Pick<Reader, 'sessionUid'>,
  { subject, url, minutes }: Of,
): string {
  const signed = { key: secrets.documents, subject: subjectOf(subject, sessionUid), now: clock.now() }
  return `${signedLink(signed, url, minutes)}&${new URLSearchParams({ session: sessionUid })}`
}

/** True for a valid link that has not expired, while its session of a warden or an administrator lives. */
export async function isLiveLink(
  { secrets, clock, system }: Pick<Services, 'secrets' | 'clock' | 'system'>,
  subject: string,
  { session, ...query }: Record<string, unknown>,
): Promise<boolean> {
  if (typeof session !== 'string') return false
  const signed = { keys: keyring(secrets, 'documents'), subject: subjectOf(subject, session), now: clock.now() }
  if (!isGoodLink(signed, query)) return false
  return (await isLiveSession(system, session)) || (await findAdministratorOf(system, session)) !== undefined
}
