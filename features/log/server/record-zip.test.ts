import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import { closeRecord, endedDrill, inItself, runChecker, writeBundle } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'

interface Member {
  name: string
  content: Buffer
  /** What the ZIP file says of its size. */
  claimed?: number
}

const number = (bytes: 2 | 4, ...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 2) field.writeUInt16LE(value)
      else field.writeUInt32LE(value)
      return field
    }),
  )

/** A ZIP file as any program writes it. */
function zipOf(members: readonly Member[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, claimed = content.length } of members) {
    const packed = deflateRawSync(content)
    const sizes = number(4, crc32(content), packed.length, claimed)
    const head = Buffer.concat([number(2, 20, 0x800, 8, 0, 0), sizes, number(2, Buffer.byteLength(name), 0)])
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), head, Buffer.from(name), packed])
    const own = Buffer.concat([number(2, 0, 0, 0), number(4, 0, at)])
    directory.push(Buffer.from('504b01021400', 'hex'), head, own, Buffer.from(name))
    parts.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.concat([number(2, 0, 0, members.length, members.length), number(4, list.length, at), number(2, 0)])
  return Buffer.concat([...parts, list, Buffer.from('504b0506', 'hex'), end])
}

async function checkZip(members: readonly Member[]) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-zip-'))
  try {
    writeFileSync(join(folder, 'bundle.zip'), zipOf(members))
    const result = await runChecker(join(folder, 'bundle.zip'))
    expect(readdirSync(folder)).toEqual(['bundle.zip'])
    return result
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('SEAL-12 a ZIP file is checked as its folder is, writes nothing, and is refused when its names or sizes lie', async ({
  server,
}) => {
  const { of } = await endedDrill(server)
  await closeRecord(server, of)
  using bundle = await writeBundle(server, of)
  const files = readdirSync(bundle.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const members = files.map((file) => {
    const path = join(file.parentPath, file.name)
    return { name: relative(bundle.folder, path), content: readFileSync(path) }
  })
  const extra = { name: 'x.txt', content: Buffer.from('x') }
  const changed = members.map((member) =>
    member.name === 'texts.ndjson'
      ? { ...member, content: Buffer.from(String(member.content).replace('"v":2', '"v":1')) }
      : member,
  )

  expect(await checkZip(members)).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([inItself]),
  })
  expect((await checkZip(changed)).lines[1]).toMatch(/^Line 1 of texts.ndjson is not what was closed/)
  expect((await checkZip([...members, { ...extra, name: '../x.txt' }])).lines).toEqual([
    'BROKEN',
    "The bundle contains a file named '../x.txt'.",
  ])
  expect((await checkZip([...members, ...members.slice(0, 1)])).lines[1]).toMatch(/^The bundle contains '.*' twice\.$/)
  expect((await checkZip([...members, { ...extra, claimed: 0xffffffff }])).lines[1]).toBe(
    "'x.txt' does not give its size.",
  )
  expect((await checkZip([...members, { ...extra, claimed: 2 }])).lines[1]).toMatch(/manifest|another size/)
})
