import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { headText } from './head-log/head-log.service.ts'
import { leafHash, MerkleTree, rootOf, sha256, tileWidth } from './merkle.ts'
import { openSigner, verifierKey } from './signed-note.ts'
import { lowestTiles, upperTiles } from './tiles.ts'

const program = resolve(import.meta.dirname, '../../../check/go/verify.go')
const gopath = '/usr/share/gocode'
const go = '/usr/bin/go'
const canRun = existsSync(go) && existsSync(`${gopath}/src/golang.org/x/mod/sumdb/tlog`)
const signer = openSigner(new Uint8Array(32).fill(5), 'https://evac.example')

/** The folder log/ of so many entries, with an earlier head. */
function writeLog(folder: string, size: number) {
  const write = (path: string, content: Buffer | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const [tree, full, roots] = [new MerkleTree(), [] as Buffer[], new Map<number, Buffer>()]
  for (let idx = 0; idx * tileWidth < size; idx++) {
    const width = Math.min(tileWidth, size - idx * tileWidth)
    const commits = Array.from({ length: width }, (_, at) => sha256(`line ${idx * tileWidth + at + 1}`))
    for (const [at, commit] of commits.entries()) {
      tree.add(leafHash(commit))
      const n = idx * tileWidth + at + 1
      if (n === size || n === Math.ceil(size / 3)) roots.set(n, tree.root())
    }
    if (width === tileWidth) full.push(rootOf(commits.map(leafHash)))
    for (const { path, content } of lowestTiles({ idx, commits: Buffer.concat(commits) })) write(`log/${path}`, content)
  }
  for (const { path, content } of upperTiles(full)) write(`log/${path}`, content)
  for (const [n, root] of roots)
    write(
      `log/heads/${n}`,
      signer.sign(
        headText(signer.name, { clientUid: 'an-organisation', eventUid: 'an-event', serial: 1, size: n, root }),
      ),
    )
  write('log/checkpoint', readFileSync(join(folder, `log/heads/${size}`)))
  write('key.txt', `${verifierKey(signer)}\n`)
}

const withFolder = <T>(work: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'evac-go-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.skipIf(!canRun)(
  'LOG-03 SEAL-07 the code that checks Go’s checksum database finds logs of 1 to 65,537 entries intact, and one flipped bit broken (needs the Debian packages golang-go and golang-golang-x-mod-dev)',
  { timeout: 180_000 },
  () =>
    withFolder((built) => {
      const env = { ...process.env, GO111MODULE: 'off', GOPATH: gopath, GOCACHE: join(built, 'cache'), GOFLAGS: '' }
      execFileSync(go, ['build', '-o', join(built, 'verify'), program], { env, stdio: 'pipe' })
      const verify = (folder: string) => String(execFileSync(join(built, 'verify'), [folder], { stdio: 'pipe' }))
      for (const size of [1, 255, 256, 257, 65_537])
        withFolder((folder) => {
          writeLog(folder, size)
          expect(verify(folder)).toBe(`INTACT: ${size} entries of evac.example/record/an-event\n`)
          for (const path of ['tile/0/000', 'tile/entries/000'].map(
            (tile) => tile + (size < 256 ? `.p/${size}` : ''),
          )) {
            const bytes = readFileSync(join(folder, 'log', path))
            writeFileSync(join(folder, 'log', path), Buffer.from(bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1)))
            expect(() => verify(folder)).toThrow()
            writeFileSync(join(folder, 'log', path), bytes)
          }
        })
    }),
)
