import { randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { noteShown } from '#features/peeps/server/access/peeps-in-lists.service.ts'
import { countWrongAddress, type PlainAnswer, type PlainHandling } from '#server/http/plain-pages.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { deviceOf } from '#server/platform/device.ts'
import { siteOf } from '#server/platform/network.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { readContent } from './pack-content.service.ts'
import * as queries from './packs.queries.ts'
import { tokenLength } from './packs.service.ts'
import { buildingPage } from './page/building-page.ts'
import { packPage } from './page/pack-page.ts'
import { askPage, fullPage, gonePage } from './page/start-pages.ts'

const mostReaders = 100
const isToken = (text: string | undefined): text is string =>
  text !== undefined && text.length === tokenLength && /^[\w-]+$/.test(text)

/** An unknown address, an ended pack and one of someone else get one answer. */
async function gone(app: FastifyInstance, { network }: PlainHandling): Promise<PlainAnswer> {
  await countWrongAddress(app, network)
  return { status: 410, page: gonePage() }
}

/** Opening changes nothing, so a preview of the link is no reader. */
export async function askReader(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const { token } = handling.params
  const pack = isToken(token) && (await queries.findOpenPack(app.system, sha256(token)))
  if (!pack) return gone(app, handling)
  return { status: 200, page: askPage(randomBytes(16).toString('base64url')) }
}

/** The reader gets an address of their own. Two presses of one form make one reader. */
export async function enter(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const { params, form, request, network, write } = handling
  const { token } = params
  const pack = isToken(token) && (await queries.findOpenPack(app.system, sha256(token)))
  if (!pack) return gone(app, handling)
  const nonce = isToken(form.form) ? form.form : randomBytes(16).toString('base64url')
  const reader = hmac(app.secrets.packs, `${pack.uid}/${nonce}`).slice(0, tokenLength)
  const { clientUid, uid, eventUid } = pack
  const added = await write(clientUid, async (tx) => {
    const outcome = await queries.addReader(
      tx,
      {
        ...{ clientUid, packUid: uid, readerHash: sha256(reader), name: form.name ?? '' },
        ...{ network: networkShown(network), agent: browserOf(request.headers['user-agent']) + deviceOf(request) },
      },
      mostReaders,
    )
    if (outcome === 'new')
      await record(tx, unattended(clientUid), {
        ...{ action: 'pack_opened', subjectType: 'event', subjectUid: eventUid, eventUid, after: { pack: uid } },
      })
    return outcome
  })
  return added === 'full' ? { status: 410, page: fullPage() } : { to: `/p/${token}/${reader}` }
}

/** A mobile network shares its addresses, so less of them is kept than would name a phone. */
const networkShown = (network: string) =>
  isIPv6(network.replace(/\/\d+$/, ''))
    ? `${siteOf(network).replace(/\/\d+$/, '')}/48`
    : network.replace(/\.\d+$/, '.0/24')

/** In this order: each names the ones below, too. */
const browsers: readonly [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const browserOf = (agent = '') => `${browsers.find(([mark]) => mark.test(agent))?.[1] ?? 'Browser'}, `

async function opened(app: FastifyInstance, { params: { token, reader } }: PlainHandling) {
  if (!isToken(token) || !isToken(reader)) return undefined
  const readerHash = sha256(reader)
  const pack = await queries.findOpenPack(app.system, sha256(token), readerHash)
  return pack && { token, reader, readerHash, pack }
}

export async function readPack(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const found = await opened(app, handling)
  if (!found) return gone(app, handling)
  const { token, reader, readerHash, pack } = found
  if (!pack.isReader) return { to: `/p/${token}` }
  await handling.write(pack.clientUid, (tx) => queries.countReading(tx, pack, readerHash))
  const content = await handling.readMoment(pack.clientUid, (tx) => readContent(tx, pack))
  const url = `${app.config.appUrl}/p/${token}`
  const { shown, ...page } = packPage(content, { url, here: `/p/${token}/${reader}`, endsAt: pack.endsAt })
  const { clientUid, eventUid, uid: packUid } = pack
  if (shown.length > 0)
    await handling.write(clientUid, (tx) => noteShown(tx, { clientUid, eventUid, packUid, readerHash }, shown))
  return { status: 200, ...page }
}

/** A building of a pack that is too large for one page. */
export async function readBuilding(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const found = await opened(app, handling)
  if (!found) return gone(app, handling)
  const { token, reader, pack } = found
  if (!pack.isReader) return { to: `/p/${token}` }
  const content = await handling.readMoment(pack.clientUid, (tx) => readContent(tx, pack))
  const page = buildingPage(content, handling.params.building ?? '', `/p/${token}/${reader}`)
  if (page) return { status: 200, ...page }
  await countWrongAddress(app, handling.network)
  return { status: 404, page: gonePage() }
}
