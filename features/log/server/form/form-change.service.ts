import type { Db } from '#server/platform/db/db.ts'
import { packRecord } from '../closing.service.ts'
import { saveTiles } from '../data-files.queries.ts'
import { type Range, rangesOf } from '../erasing/covered.ts'
import { form, isWithheld } from '../log-line.ts'
import { tileWidth } from '../merkle.ts'
import { unpackLines } from '../packed-lines.ts'
import { saveSubjects } from '../people/people-packed.queries.ts'
import type { LogOf, OwnEntry } from '../sealing.queries.ts'
import * as queries from './form-change.queries.ts'

/**
 * The entry from which a log of version 1 goes on in version 2. It fixes what was gone by then, of which no entry says why, the
 * record as it is stored, and the words of the event. Returns how to write it: the record's lines are kept in the same transaction.
 */
export async function formChangeOf(
  system: Db,
  of: LogOf,
): Promise<(tx: Parameters<typeof saveTiles>[0]) => Promise<OwnEntry>> {
  const { missing, people } = await readPacked(system, of)
  const words = await queries.findWords(system, of)
  const stored = await queries.findUnpackedRecord(system, of)
  const packed = stored && (await packRecord(stored))
  return async (tx) => {
    const isKept = packed !== null && !(await queries.hasRecordLines(tx, of))
    if (isKept) await saveTiles(tx, of, 'record', packed.tiles)
    await saveSubjects(tx, of, people)
    const record = isKept ? { lines: packed.lines, sha256: packed.sha256 } : null
    return { action: 'log_form', after: { v: form, missing, record, words } }
  }
}

/** What is gone, and whom the lines of people are about. */
async function readPacked(system: Db, of: LogOf) {
  const people: { subject: string; n: number }[] = []
  const gone = new Map<string, number[]>([
    ['journal', await queries.listGoneEntries(system, of)],
    ['entries', await queries.listGoneAdditions(system, of)],
  ])
  for (const { file, idx, count, lines } of await queries.listPackedTiles(system, of)) {
    const texts = await unpackLines(lines)
    const numbers = Array.from({ length: count }, (_, at) => at).filter((at) => !texts[at] || isWithheld(texts[at]))
    gone.set(file, [...(gone.get(file) ?? []), ...numbers.map((at) => idx * tileWidth + at + 1)])
    if (file === 'people') people.push(...subjectsOf(texts, idx * tileWidth + 1))
  }
  const missing: Record<string, Range[]> = Object.fromEntries(
    [...gone].filter(([, ns]) => ns.length > 0).map(([file, ns]) => [file, rangesOf(ns)]),
  )
  return { missing, people }
}

const subjectsOf = (texts: readonly string[], first: number) =>
  texts.flatMap((text, at) => {
    const { sign_in, evacuee } = JSON.parse(text) as { sign_in?: string; evacuee?: string }
    const subject = sign_in ?? evacuee
    return subject === undefined ? [] : [{ subject, n: first + at }]
  })
