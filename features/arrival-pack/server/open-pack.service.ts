import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { noteShown } from '#features/peeps/server/access/peeps-in-lists.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { countWrongAddress, type PlainAnswer, type PlainHandling } from '#server/http/plain-pages.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { timesOfBuilding } from '#server/platform/db/network-limits.ts'
import { deviceOf } from '#server/platform/device.ts'
import { isOfBuilding, type Network } from '#server/platform/network.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { packLimits, printing, type ReaderKind } from '../kinds.ts'
import { readContent } from './pack-of-end.service.ts'
import * as queries from './packs.queries.ts'
import { tokenLength } from './packs.service.ts'
import { buildingPage } from './page/building-page.ts'
import { packPage } from './page/pack-page.ts'
import { askPage, gonePage } from './page/start-pages.ts'

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
  const { clientUid, uid, eventUid } = pack
  const digestOf = (of: string) => hmac(app.secrets.packs, `${uid}/${of}`)
  const tokens: Tokens = {
    own: digestOf(nonce).slice(0, tokenLength),
    others: digestOf('others').slice(0, tokenLength),
    printed: digestOf('printed').slice(0, tokenLength),
  }
  const admitted = await write(clientUid, async (tx) => {
    const admitted = await admit(tx, tokens, form.name === printing, {
      clientUid,
      packUid: uid,
      name: form.name ?? '',
      network: network.site,
      agent: browserOf(request.headers['user-agent']) + deviceOf(request),
      home: Buffer.from(digestOf(`home/${network.home}`), 'base64url'),
      mostOfHome: mostOfHome(network),
    })
    if (admitted.isNew)
      await record(tx, unattended(clientUid), {
        action: 'pack_opened',
        subjectType: 'event',
        subjectUid: eventUid,
        eventUid,
        after: { pack: uid },
      })
    return admitted
  })
  return { to: `/p/${token}/${tokens[admitted.kind]}` }
}

type Tokens = Readonly<Record<ReaderKind, string>>
const mostOfHome = (network: Network) => packLimits.readersOfHome * (isOfBuilding(network) ? timesOfBuilding : 1)

interface Entering {
  clientUid: ClientUid
  packUid: string
  name: string
  /** Shortened: a mobile network shares its addresses, and less of them is kept than would name a phone. */
  network: string
  home: Buffer
  mostOfHome: number
  agent: string
}

/**
 * The fire service reads, however many have read before: where home or pack has its readers, one without a name who has
 * not read for long gives way, else the newest reads without a name. Prints are one reader.
 */
async function admit(
  tx: Tx,
  tokens: Tokens,
  isPrinting: boolean,
  { mostOfHome, ...reader }: Entering,
): Promise<{ kind: ReaderKind; isNew: boolean }> {
  const add = async (kind: ReaderKind) => {
    const nameless = kind !== 'own' && { name: '', network: '', agent: '', home: null }
    const readerHash = sha256(tokens[kind])
    return { kind, isNew: await queries.addReader(tx, { ...reader, kind, readerHash, ...nameless }) }
  }
  if (isPrinting) return add('printed')
  await queries.lockReaders(tx, reader.packUid)
  const own = { ...reader, kind: 'own', readerHash: sha256(tokens.own) } as const
  const { all, ofHome, isKnown } = await queries.countReaders(tx, own)
  if (isKnown) return { kind: 'own', isNew: false }
  const isHomeFull = ofHome >= mostOfHome
  const isFull = isHomeFull || all >= packLimits.readersOfPack
  if (isFull && !(await queries.letOneGiveWay(tx, own, { ofHome: isHomeFull }))) return add('others')
  return add('own')
}

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
