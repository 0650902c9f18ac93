import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'

/** `mostBytes`: of an answer as it comes, which nothing unpacks. */
const usual = { mostBytes: 256 * 1024, headersMs: 5_000 }
const patienceMs = 10_000

export interface OutgoingSettings {
  /** The proxy of all calls out, with a password if it needs one. Empty: none. */
  outgoingProxy: string
  /** Names of hosts that organisations may name although their addresses are private. */
  outgoingPrivateHosts?: readonly string[]
}

export interface OutgoingRequest {
  url: string
  /** Who has set the address. An organisation names public hosts by https alone. */
  setBy: 'operator' | 'organisation'
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer | string
  /** Where the other side's protocol says something else than the limits below. */
  limits?: Partial<typeof usual>
}

export interface OutgoingAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * The only HTTP client for calls out. Throws for a redirect, for more than 256 kB, for headers after 5 s and an end after
 * 10 s, and for an organisation's address that is not public.
 */
export type CallOut = (asked: OutgoingRequest) => Promise<OutgoingAnswer>

export function openOutgoing({ outgoingProxy, outgoingPrivateHosts = [] }: OutgoingSettings): CallOut {
  const limits = { connections: 50 }
  // the proxy resolves the names, so that only it can check their addresses
  const proxy = outgoingProxy ? new ProxyAgent({ uri: outgoingProxy, ...limits }) : undefined
  const connect = { timeout: usual.headersMs }
  const anywhere = proxy ?? new Agent({ ...limits, connect })
  const publicOnly = proxy ?? new Agent({ ...limits, connect: { ...connect, lookup: lookUpPublic } })

  function dispatcherFor({ url, setBy }: OutgoingRequest): Dispatcher {
    if (setBy === 'operator') return anywhere
    const { protocol, hostname } = new URL(url)
    if (protocol !== 'https:') throw new Error('The address does not begin with https://.')
    if (outgoingPrivateHosts.includes(hostname)) return anywhere
    // a literal address is never looked up
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (ipaddr.isValid(literal) && !isPublic(literal)) throw notPublic(hostname)
    return publicOnly
  }

  return async (asked) => {
    const { host } = new URL(asked.url)
    const { headersMs = usual.headersMs, mostBytes = usual.mostBytes } = asked.limits ?? {}
    const { statusCode, headers, body } = await request(asked.url, {
      dispatcher: dispatcherFor(asked),
      method: asked.method,
      signal: AbortSignal.timeout(patienceMs),
      headersTimeout: headersMs,
      ...(asked.headers && { headers: asked.headers }),
      ...(asked.body !== undefined && { body: asked.body }),
    })
    if (statusCode < 300 || statusCode >= 400)
      return { status: statusCode, headers, body: await readAll(body, host, mostBytes) }
    // a body that is left says so
    body.once('error', () => undefined).destroy()
    throw new Error(`${host} answered with a redirect.`)
  }
}

/** Counts here, because no limit of the library holds behind a proxy. */
async function readAll(body: AsyncIterable<Buffer>, host: string, mostBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > mostBytes) throw new Error(`${host} answered with more than ${mostBytes / 1024} kB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const notPublic = (host: string) => new Error(`${host} is not a public address.`)

/** Looks a name up for a connection, which then goes to no other address: a second look could find another one. */
const lookUpPublic: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0)
    const [first, ...further] = found.filter(({ address }) => isPublic(address))
    if (!first) return done(notPublic(hostname), '', 0)
    if (options.all) return done(null, [first, ...further])
    done(null, first.address, first.family)
  })

/** True for an address of the public internet, and for an IPv6 form of such an IPv4 address. */
export function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (!(address instanceof ipaddr.IPv6)) return address.range() === 'unicast'
  const bytes = address.toByteArray()
  const inside: Record<string, number[]> = {
    ipv4Mapped: bytes.slice(12),
    rfc6052: bytes.slice(12),
    '6to4': bytes.slice(2, 6),
  }
  const ipv4 = inside[address.range()]
  if (ipv4) return ipaddr.fromByteArray(ipv4).range() === 'unicast'
  // 2000::/3 is all that is given out
  return address.range() === 'unicast' && ((bytes[0] ?? 0) & 0xe0) === 0x20
}
