import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { headText } from './head-log/head-log.service.ts'
import { sha256 } from './merkle.ts'
import { openSigner, verifierKey } from './signed-note.ts'

const seedOf = (secret: string) => deriveSecrets(secret).recordLog
const seed = seedOf('a secret for tests only, long enough')
const eventUid = '3f1f8a52-8f5c-4f43-9f6e-5b1d6f0c2a11'

test('SEAL-07 a head is a C2SP checkpoint: origin, size and root, signed by Ed25519 under the name of the host', () => {
  const signer = openSigner(seed, 'https://evac.example:8443/app')
  const root = sha256('')

  const note = signer.sign(headText(signer.name, { clientUid: 'c', eventUid, serial: 7, size: 12, root }))

  const [text = '', signature = ''] = note.split(/(?<=\n)\n/)
  expect(text).toBe(`evac.example:8443/record/${eventUid}\n12\n${root.toString('base64')}\nlog 2 c 7\n`)
  const [, name, base64 = ''] = /^— (\S+) (\S+)\n$/.exec(signature) ?? []
  const [, keyId, key = ''] = verifierKey(signer).split('+')
  const bytes = Buffer.from(base64, 'base64')
  expect([name, bytes.subarray(0, 4).toString('hex')]).toEqual(['evac.example:8443', keyId])
  const encoded = Buffer.from(key, 'base64')
  expect(keyId).toBe(
    sha256(Buffer.concat([Buffer.from(`${name}\n`), encoded]))
      .subarray(0, 4)
      .toString('hex'),
  )
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), encoded.subarray(1)])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  expect(verify(null, Buffer.from(text), publicKey, bytes.subarray(4))).toBe(true)
  expect(verify(null, Buffer.from(text.replace('12', '13')), publicKey, bytes.subarray(4))).toBe(false)
})

test('LOG-06 the key comes from SECRET_KEY: alike on all nodes, another with another secret or host', () => {
  const keyOf = (from: Uint8Array, url: string) => verifierKey(openSigner(from, url))
  const own = keyOf(seed, 'https://evac.example')

  expect(keyOf(seedOf('a secret for tests only, long enough'), 'https://evac.example/')).toBe(own)
  expect(keyOf(seedOf('another secret for tests, long enough'), 'https://evac.example')).not.toBe(own)
  expect(keyOf(seed, 'https://other.example').split('+')[1]).not.toBe(own.split('+')[1])
})
