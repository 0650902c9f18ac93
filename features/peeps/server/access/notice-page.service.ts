import type { FastifyInstance } from 'fastify'
import { countWrongAddress, type PlainAnswer, type PlainHandling } from '#server/http/plain-pages.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { endedPage, noticePage, noticeStyle } from './notice-page.ts'
import { listSeenOf } from './peep-readers.queries.ts'
import { findOpenNotice, getNoticeEvent } from './send-notices.queries.ts'
import { tokenLength } from './send-notices.service.ts'

const mostSeen = 500
const isToken = (text: string | undefined): text is string =>
  text !== undefined && text.length === tokenLength && /^[\w-]+$/.test(text)

export async function readNotice(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const { token } = handling.params
  const notice = isToken(token) && (await findOpenNotice(app.system, sha256(token)))
  if (!notice) {
    await countWrongAddress(app, handling.network)
    return { status: 410, page: endedPage() }
  }
  const page = await handling.read(notice.clientUid, async (tx) =>
    noticePage(await getNoticeEvent(tx, notice), await listSeenOf(tx, notice, notice.personUid, mostSeen)),
  )
  return { status: 200, page, style: noticeStyle }
}
