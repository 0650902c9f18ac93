import { createPublicKey, verify } from 'node:crypto'
import type { CallOut, OutgoingAnswer } from '#server/platform/outgoing.ts'
import { findLastHead, findLastNumber, listHashes } from '../head-log/head-log.queries.ts'
import { type Signing, signHeads } from '../head-log/head-log.service.ts'
import { consistencyOf, leafHash, sha256 } from '../merkle.ts'
import type { LogOf } from '../sealing.queries.ts'
import * as queries from './witnesses.queries.ts'

/** As LOG_WITNESSES names it. */
export interface Witness {
  url: string
  /** Verifier key of C2SP tlog-cosignature. */
  key: string
}

type Asking = Pick<Signing, 'system' | 'signer'> & { callOut: CallOut; witnesses: readonly Witness[] }
type Checkpoint = NonNullable<Awaited<ReturnType<typeof signHeads>>>

/** A witness has 10 s and 64 kB. */
const limits = { mostBytes: 64 * 1024, headersMs: 10_000 }

/**
 * Asks each witness to sign the newest checkpoint of the log of heads (C2SP tlog-witness). One that is away is asked again in the
 * next round, for a day after the newest head. One that has signed another history raises the alarm.
 */
export async function askWitnesses(asking: Asking, onTrouble: (error: unknown) => void): Promise<void> {
  if (asking.witnesses.length === 0 || !(await queries.hasGrownToday(asking.system))) return
  const checkpoint = await signHeads(asking)
  if (!checkpoint) return
  for (const witness of asking.witnesses) await ask(asking, witness, checkpoint).catch(onTrouble)
}

async function ask(asking: Asking, { url, key }: Witness, checkpoint: Checkpoint): Promise<void> {
  const { system } = asking
  const signed = await queries.findSignedSize(system, key)
  if (signed === checkpoint.size) return
  const first = await send(asking, url, signed, checkpoint)
  const told = sizeToldBy(first)
  const isElsewhere = told !== undefined && told !== signed
  // another worker may have asked with a newer checkpoint; else the witness has signed more heads than there are
  if (isElsewhere && told > checkpoint.size && (await findLastNumber(system)) < told)
    await queries.noteRefusal(system, key)
  const from = isElsewhere && told <= checkpoint.size ? told : signed
  const answer = from === signed ? first : await send(asking, url, from, checkpoint)
  if (answer.status === 422 || sizeToldBy(answer) === from) await queries.noteRefusal(system, key)
  if (answer.status !== 200) throw new Error(`The witness ${new URL(url).host} did not sign (HTTP ${answer.status}).`)
  const line = answer.body
    .toString()
    .split('\n')
    .find((one) => isCosignedBy(key, one, checkpoint.note))
  if (!line) throw new Error(`The witness ${new URL(url).host} gave no signature of its key.`)
  await queries.saveSignature(system, key, checkpoint.size, line)
}

/** The size that a witness has signed, if it says that we began at another one. */
function sizeToldBy({ status, body }: OutgoingAnswer): number | undefined {
  const [, size] = (status === 409 && /^(\d{1,15})\n?$/.exec(body.toString())) || []
  return size === undefined ? undefined : Number(size)
}

async function send({ system, callOut }: Asking, url: string, old: number, { size, note }: Checkpoint) {
  const leaves = (await listHashes(system, size)).map(leafHash)
  const proof = consistencyOf(leaves, old).map((hash) => `${hash.toString('base64')}\n`)
  const body = `old ${old}\n${proof.join('')}\n${note}`
  return callOut({ url: `${url}/add-checkpoint`, setBy: 'operator', method: 'POST', body, limits })
}

/** Ed25519 of a witness in a verifier key (C2SP tlog-cosignature). */
const cosignature = 4
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** True if the line is the witness's signature of the checkpoint, with the time at which it signed. */
function isCosignedBy(key: string, line: string, note: string): boolean {
  const [name = '', , encoded = ''] = key.split('+', 2).concat(key.split('+').slice(2).join('+'))
  const [mark, signer, base64 = ''] = line.split(' ')
  const bytes = Buffer.from(encoded, 'base64')
  const signature = Buffer.from(base64, 'base64')
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), bytes])).subarray(0, 4)
  if (mark !== '—' || signer !== name || bytes[0] !== cosignature || signature.length !== 76) return false
  if (!signature.subarray(0, 4).equals(id)) return false
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const message = Buffer.from(`cosignature/v1\ntime ${signature.readBigUInt64BE(4)}\n${text}`)
  const publicKey = createPublicKey({ key: Buffer.concat([spki, bytes.subarray(1)]), format: 'der', type: 'spki' })
  return verify(null, message, publicKey, signature.subarray(12))
}

/** The checkpoint of the log of heads that proves the newest head of a log: the newest one that a witness has signed, if one has. */
export async function checkpointFor(signing: Pick<Signing, 'system' | 'signer'>, of: LogOf) {
  const head = await findLastHead(signing.system, of)
  const witnessed = head && (await queries.findWitnessed(signing.system, head.n))
  if (!witnessed) return signHeads(signing)
  const checkpoint = await signHeads(signing, witnessed.size)
  return (
    checkpoint && { ...checkpoint, note: `${checkpoint.note}${witnessed.lines.map((line) => `${line}\n`).join('')}` }
  )
}
