import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { nodeHash, sha256 } from '../merkle.ts'

/** RFC 9162, 2.1.4.2: whether the proof leads from one root to the other. */
function isConsistent(first: number, second: number, roots: [Buffer, Buffer], path: readonly Buffer[]): boolean {
  if (first === 0) return true
  if (first === second) return path.length === 0 && roots[0].equals(roots[1])
  const hashes = Number.isInteger(Math.log2(first)) ? [roots[0], ...path] : [...path]
  let [fn, sn] = [first - 1, second - 1]
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  let [fr, sr] = [hashes[0] as Buffer, hashes[0] as Buffer]
  for (const hash of hashes.slice(1)) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      ;[fr, sr] = [nodeHash(hash, fr), nodeHash(hash, sr)]
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else sr = nodeHash(sr, hash)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && fr.equals(roots[0]) && sr.equals(roots[1])
}

/** Answers instead of the witness, and says so by true. */
type Instead = (response: ServerResponse, nth: number) => boolean

/** A witness of C2SP tlog-witness on this machine, as far as a log of heads meets it. */
export async function startWitness(name = 'witness.example', instead: Instead = () => false) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const encoded = Buffer.concat([Buffer.from([4]), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), encoded])).subarray(0, 4)
  const seen = { size: 0, root: sha256('') }
  const answer = (status: number, body = '') => ({ status, body })
  const statuses: number[] = []
  let asked = 0
  const add = (body: string) => {
    const cut = body.indexOf('\n\n')
    const [old = '', ...proof] = body.slice(0, cut).split('\n')
    const note = body.slice(cut + 2)
    const [, size = '', root = ''] = note.split('\n')
    const next = { size: Number(size), root: Buffer.from(root, 'base64') }
    if (Number(old.slice('old '.length)) !== seen.size) return answer(409, `${seen.size}\n`)
    const path = proof.map((line) => Buffer.from(line, 'base64'))
    if (!isConsistent(seen.size, next.size, [seen.root, next.root], path)) return answer(422)
    Object.assign(seen, next)
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000)))
    const message = Buffer.from(
      `cosignature/v1\ntime ${time.readBigUInt64BE()}\n${note.slice(0, note.lastIndexOf('\n\n') + 1)}`,
    )
    const signature = Buffer.concat([id, time, sign(null, message, privateKey)])
    return answer(200, `— ${name} ${signature.toString('base64')}\n`)
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (instead(response, ++asked)) return
    const said = request.url === '/add-checkpoint' && request.method === 'POST' ? add(body) : answer(404)
    statuses.push(said.status)
    response.writeHead(said.status).end(said.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: `${name}+${id.toString('hex')}+${encoded.toString('base64')}`,
    seen,
    statuses,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
