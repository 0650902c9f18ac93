import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, vi } from 'vitest'
import { keepAssets, keptAssetsIn } from './kept-assets.ts'

/** Starts one build after the other on the same data folder, some hours later. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('product', async ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'evac-kept-'))
  onCleanup(() => rmSync(folder, { recursive: true }))
  const dataDir = join(folder, 'data')
  const warn = vi.fn()
  return {
    dataDir,
    warn,
    start(names: string[], hoursLater: number) {
      const built = mkdtempSync(join(folder, 'release-'))
      for (const name of names) writeFileSync(join(built, name), `of ${name}`)
      keepAssets(built, dataDir, { warn }, new Date(Date.now() + hoursLater * 3_600_000))
      rmSync(built, { recursive: true }) // another release folder, another container
    },
    kept: () =>
      readdirSync(keptAssetsIn(dataDir))
        .filter((name) => !name.startsWith('.'))
        .sort(),
  }
})

test('UX-70 the assets of a build are kept for a day from when another build replaces it, however long it ran', ({
  product,
}) => {
  product.start(['old.js', 'old.js.br', 'both.js'], 0)
  product.start(['new.js', 'both.js'], 24 * 30)
  expect(product.kept()).toEqual(['both.js', 'new.js', 'old.js', 'old.js.br'])
  expect(readFileSync(join(keptAssetsIn(product.dataDir), 'old.js'), 'utf8')).toBe('of old.js')

  product.start(['new.js', 'both.js'], 24 * 30 + 23)
  expect(product.kept()).toContain('old.js')
  product.start(['new.js', 'both.js'], 24 * 30 + 25)
  expect(product.kept()).toEqual(['both.js', 'new.js'])
})

test('UX-70 of two nodes with one data folder, the older may start again while the other is new', ({ product }) => {
  product.start(['old.js'], 0)
  product.start(['new.js'], 24 * 30)
  product.start(['old.js'], 24 * 30 + 1)
  product.start(['new.js'], 24 * 30 + 2)
  product.start(['new.js'], 24 * 30 + 24)

  expect(product.kept()).toEqual(['new.js', 'old.js'])
})

test('UX-70 a data folder that no one can write to costs a warning, not the start', ({ product }) => {
  mkdirSync(product.dataDir)
  writeFileSync(keptAssetsIn(product.dataDir), '')

  product.start(['new.js'], 0)

  expect(product.warn).toHaveBeenCalledOnce()
})
