import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test as base, expect } from 'vitest'
import { compressFiles } from './assets.mjs'

/** The folder of a built app, with its assets. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('dist', async ({}, { onCleanup }) => {
  const dist = mkdtempSync(join(tmpdir(), 'evac-dist-'))
  mkdirSync(join(dist, 'assets'))
  onCleanup(() => rmSync(dist, { recursive: true }))
  return dist
})
const text = 'export const floor = 3;\n'.repeat(100)

test('what was compressed when the disk was full is compressed again', ({ dist }) => {
  writeFileSync(join(dist, 'assets', 'app.js'), text)
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
