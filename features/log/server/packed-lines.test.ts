import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packLines, unpackLines } from './packed-lines.ts'

test('REC2-28 the lines of a tile are read as they were packed, by the version before too', async () => {
  const lines = ['{"n":1,"name" : "Zoë"}', '{"n":2}']

  expect(await unpackLines(await packLines(lines))).toEqual(lines)
  expect(await unpackLines(gzipSync(lines.join('\n')))).toEqual(lines)
  expect(await unpackLines(await packLines([]))).toEqual([])
  expect(await unpackLines(null)).toEqual([])
})
