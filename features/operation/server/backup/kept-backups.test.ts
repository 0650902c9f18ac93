import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { dropOldBackups, nextBackupIn } from './kept-backups.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evac-kept-'))
  return () => rmSync(folder, { recursive: true })
})

const now = new Date('2026-11-28T03:17:00.500Z')
/** A whole backup of so many days ago. */
function backUp(daysAgo: number): string {
  const path = nextBackupIn(folder, new Date(now.getTime() - daysAgo * 86_400_000))
  mkdirSync(path)
  writeFileSync(join(path, 'manifest.json'), '{}')
  return basename(path)
}

test('OPS-06 the newest backups are kept, and older ones are deleted', async () => {
  const [today, yesterday, ...older] = [0, 1, 2, 3].map(backUp)

  expect(await dropOldBackups(folder, 2, now)).toBe(2)

  expect(readdirSync(folder).sort()).toEqual([yesterday, today])
  expect(older).toEqual(['evac-2026-11-26T031700Z', 'evac-2026-11-25T031700Z'])
  expect(await dropOldBackups(folder, 2, now)).toBe(0)
})

test('OPS-06 a backup without its manifest is neither counted nor deleted, and nothing else in the folder is touched', async () => {
  const [good, older, partial] = [backUp(1), backUp(2), backUp(0)]
  rmSync(join(folder, partial, 'manifest.json'))
  for (const other of ['evac-of-my-own', 'notes']) mkdirSync(join(folder, other))
  writeFileSync(join(folder, 'evac-2026-11-20T031700Z'), 'a file')

  expect(await dropOldBackups(folder, 1, now)).toBe(1)

  expect(readdirSync(folder).sort()).toEqual(['evac-2026-11-20T031700Z', good, partial, 'evac-of-my-own', 'notes'])
  expect(readdirSync(folder)).not.toContain(older)
})

test('OPS-06 what killed runs left goes after a day', async () => {
  const name = backUp(3)
  const [old, fresh] = [`${name}.77.unfinished`, `${name}.78.unfinished`]
  for (const one of [old, fresh]) mkdirSync(join(folder, one))
  const before = now.getTime() / 1000 - 25 * 3600
  utimesSync(join(folder, old), before, before)
  utimesSync(join(folder, fresh), now, now)

  await dropOldBackups(folder, 5, now)

  expect(readdirSync(folder).sort()).toEqual([name, fresh])
})
