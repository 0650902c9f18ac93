import { listCards } from '#features/duty/server/report-in.service.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import type { Device } from '#server/platform/device.ts'
import { sha256 } from '#server/platform/secrets.ts'
import type { verifyLoginReportIn } from '../calls/sign-in.ts'
import { lockReportInLink } from './link.queries.ts'
import { endOfSession, openSession } from './session.service.ts'

type Verified = CallAnswer<typeof verifyLoginReportIn>

/** Signs in to the card of the link's event only. Reusable until the event ends. */
export async function openReportInLink(app: Services, token: string, device: Device): Promise<Verified> {
  const reply = await inClients(app.system, [], (tx) => redeem(app, tx, sha256(token), device))
  app.metrics.signIns.inc({ outcome: reply.tokenStatus === 'valid' ? 'signed_in' : 'link_refused' })
  return reply
}

async function redeem(app: Services, tx: Tx, tokenHash: Buffer, device: Device): Promise<Verified> {
  const link = await lockReportInLink(tx, tokenHash, app.clock.now())
  if (!link) return { tokenStatus: 'invalid-notfound' }
  if (link.concluded) return { tokenStatus: 'invalid-concluded' }
  if (link.expired) return { tokenStatus: 'invalid-expired' }
  const { accountUid, signInUid } = link
  const card = accountUid && (await listCards(tx, [accountUid])).find((one) => one.signInUid === signInUid)
  if (!card) return { tokenStatus: 'invalid-notfound' }
  const auth = await openSession(tx, app.secrets.access, card, {
    accountUids: [accountUid],
    signInMethod: 'Mobile',
    isReportInToken: true,
    linkSignInUid: signInUid,
    device,
    expiresAt: endOfSession(app.clock),
  })
  return { tokenStatus: 'valid', ...auth }
}
