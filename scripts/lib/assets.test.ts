import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test as base, expect } from 'vitest'
import { assetsSince, compressFiles, retireAssets } from './assets.mjs'

/** The folder of a built app, with its assets. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('dist', async ({}, { onCleanup }) => {
  const dist = mkdtempSync(join(tmpdir(), 'evac-dist-'))
  mkdirSync(join(dist, 'assets'))
  onCleanup(() => rmSync(dist, { recursive: true }))
  return dist
})
const text = 'export const floor = 3;\n'.repeat(100)

function give(dist: string, name: string, daysAgo = 0) {
  const file = join(dist, 'assets', name)
  writeFileSync(file, text)
  const time = new Date(Date.now() - daysAgo * 86_400_000)
  utimesSync(file, time, time)
}

test('assets are kept for a week from when they are replaced, however old they are', ({ dist }) => {
  for (const name of ['served.js', 'served.js.br', 'served.js.gz']) give(dist, name, 30)
  give(dist, 'long-replaced.js', 30)
  give(dist, 'replaced-lately.js', 6)
  const assets = join(dist, 'assets')

  retireAssets(assets, ['served.js'])

  expect(readdirSync(assets).sort()).toEqual(['replaced-lately.js', 'served.js', 'served.js.br', 'served.js.gz'])
  retireAssets(assets, [])
  expect(readdirSync(assets)).toContain('served.js')
})

test('a build is told by what it has written', ({ dist }) => {
  give(dist, 'earlier.js', 1)
  const start = Date.now() - 1_000
  for (const name of ['new.js', 'new.js.br']) give(dist, name)

  expect(assetsSince(join(dist, 'assets'), start)).toEqual(['new.js'])
})

test('what was compressed when the disk was full is compressed again', ({ dist }) => {
  give(dist, 'app.js')
  compressFiles(dist)
  const bytes = (name: string) => readFileSync(join(dist, 'assets', name))
  expect(brotliDecompressSync(bytes('app.js.br')).toString()).toBe(text)
  rmSync(join(dist, 'assets', 'app.js.gz'))
  mkdirSync(join(dist, 'assets', 'app.js.gz.new')) // nothing can be written there

  expect(() => compressFiles(dist)).toThrow()
  expect(readdirSync(join(dist, 'assets'))).not.toContain('app.js.gz')

  rmSync(join(dist, 'assets', 'app.js.gz.new'), { recursive: true })
  compressFiles(dist)
  expect(gunzipSync(bytes('app.js.gz')).toString()).toBe(text)
})
