import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { countWrongAddress, type PlainAnswer, type PlainHandling } from '#server/http/plain-pages.ts'
import { sha256 } from '#server/platform/secrets.ts'
import {
  type Addressed,
  findLinkAddress,
  findMovedPoster,
  findPosterAddress,
  listEventPlaces,
} from './find-page.queries.ts'
import { readCode } from './links/link-codes.ts'
import { movedPage, noEventPage, tellPage } from './page/answers.ts'
import { type ReportForm, reportPage } from './page/report-page.ts'

export type Opened = Addressed & { event: NonNullable<Addressed['event']>; path: `/${string}` }

/** What an address opens, or the page that says why it opens nothing. */
export async function openAddress(
  app: FastifyInstance,
  { params, network }: PlainHandling,
): Promise<{ opened: Opened } | { answer: PlainAnswer }> {
  const read = readCode(params.code)
  const found = read && (await findAddress(app, read))
  const movedTo = read?.way === 'poster' && !found && (await findMovedPoster(app.system, read.code))
  if (movedTo) return { answer: { status: 410, ...movedPage(`${movedTo}/s/${read.code}`) } }
  // a known address is not counted: after an event a whole building may open its links
  if (!found) await countWrongAddress(app, network)
  if (!found?.event) return { answer: { status: 404, ...noEventPage() } }
  if (!found.open) return { answer: { status: 410, ...tellPage(found) } }
  return { opened: { ...found, event: found.event, path: `/s/${read?.code}` } }
}

const findAddress = ({ system }: FastifyInstance, { way, code }: NonNullable<ReturnType<typeof readCode>>) =>
  way === 'link' ? findLinkAddress(system, sha256(code)) : findPosterAddress(system, code)

/** Opening changes nothing, so a preview of a link reports no one. */
export async function openReport(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const found = await openAddress(app, handling)
  if ('answer' in found) return found.answer
  return { status: 200, ...(await formOf(handling, found.opened)) }
}

export async function formOf(
  { read }: Pick<PlainHandling, 'read'>,
  opened: Opened,
  { nonce = newNonce(), ...more }: Partial<Pick<ReportForm, 'again' | 'nonce'>> = {},
): Promise<{ page: string; style: string }> {
  const places = await read(opened.clientUid, (tx) => listEventPlaces(tx, opened.clientUid, opened.event.uid))
  return reportPage({ addressed: opened, path: opened.path, nonce, places, ...more })
}

export const newNonce = () => randomBytes(16).toString('base64url')
