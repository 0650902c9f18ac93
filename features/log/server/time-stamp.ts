import { randomBytes } from 'node:crypto'
import type { CallOut } from '#server/platform/outgoing.ts'
import { sha256 } from './merkle.ts'

/** A time stamp with its certificates has about 6 kB. */
const mostBytes = 65_536

/** DER of a tag and its content of under 128 bytes. */
const der = (tag: number, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, body.length]), body])
}
const sequence = (...content: Buffer[]) => der(0x30, ...content)
const integer = (bytes: Buffer) => der(0x02, bytes)
const octets = (bytes: Buffer) => der(0x04, bytes)
/** 2.16.840.1.101.3.4.2.1 */
const sha256Id = sequence(Buffer.from('0609608648016503040201', 'hex'), Buffer.from('0500', 'hex'))
const yes = Buffer.from('0101ff', 'hex')

/** A time stamp authority. The operator names it. */
export interface Authority {
  url: string
  callOut: CallOut
}

/** RFC 3161: asks for a time stamp of these bytes. Throws if the answer is none. */
export async function requestStamp({ url, callOut }: Authority, stamped: Buffer): Promise<Buffer> {
  const digest = sha256(stamped)
  // positive, and without a leading zero byte
  const nonce = Buffer.concat([Buffer.from([0x40]), randomBytes(8)])
  const query = sequence(integer(Buffer.from([1])), sequence(sha256Id, octets(digest)), integer(nonce), yes)
  const headers = { 'content-type': 'application/timestamp-query' }
  const { status, body: stamp } = await callOut({ url, setBy: 'operator', method: 'POST', headers, body: query })
  if (
    status >= 300 ||
    stamp.length > mostBytes ||
    !isGranted(stamp) ||
    !stamp.includes(digest) ||
    !stamp.includes(nonce)
  )
    throw new Error(`The time stamp authority ${new URL(url).host} gave no time stamp (HTTP ${status}).`)
  return stamp
}

/** PKIStatus 0 (granted) or 1 (granted with mods) is the first number of the answer. */
function isGranted(answer: Buffer): boolean {
  const status = contentOf(contentOf(answer))
  return status[0] === 0x02 && status[1] === 1 && (status[2] === 0 || status[2] === 1)
}

/** The content of the first DER value. */
function contentOf(value: Buffer): Buffer {
  const first = value[1] ?? 0
  return value.subarray(2 + (first < 0x80 ? 0 : first & 0x7f))
}
