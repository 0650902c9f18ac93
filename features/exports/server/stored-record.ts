import { listRecordPaths } from '#features/log/server/bundle.service.ts'
import { recordLines, saysStill } from '#features/log/server/record-lines.ts'
import type { EventRecord } from '#features/records/calls/record.ts'
import { findStoredRecord } from '#features/records/server/records.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JsonObject, JsonValue } from '#server/platform/db/tables.ts'
import type { RecordData } from './record-data.ts'

/** The record as it is stored, for record.json. */
export interface StoredRecord {
  /** What the reader does not see, or what was erased, is null, or what took its place. */
  record: JsonObject
  /** Whether the reader sees the field or element with this path. */
  isShown: (path: string) => boolean
}

/**
 * The stored record, with each element where it was when the log closed: what was erased from a list leaves its place empty. If the
 * record does not fit its lines, it is as it stands.
 */
export async function storedRecordOf(
  tx: Tx,
  of: Parameters<typeof findStoredRecord>[1],
  data: Pick<RecordData, 'record'>,
): Promise<StoredRecord> {
  const stored = asJson(await findStoredRecord(tx, of))
  const seen = asJson(data.record)
  const lists = Map.groupBy(await listRecordPaths(tx, of), ({ path }) => path.replace(/\/\d+$/, ''))
  const record = structuredClone(stored)
  for (const [path, lines] of lists) {
    const list = listAt(record, path)
    const gone = lines.flatMap(({ path: line, isGone }) => (isGone ? [Number(line.split('/').at(-1))] : []))
    if (list && list.length === lines.length - gone.length) for (const at of gone) list.splice(at, 0, null)
  }
  const hidden = recordLines(record).filter((line) => line.value !== null && !saysStill(seen, line))
  for (const { path } of hidden) clear(record, path)
  const paths = new Set(hidden.map(({ path }) => path))
  return { record, isShown: (path) => !paths.has(path) }
}

/** Without what JSON leaves out, as the lines have it. */
const asJson = (record: EventRecord | null): JsonObject => JSON.parse(JSON.stringify(record ?? {}))

const listAt = (record: JsonObject, path: string): JsonValue[] | undefined => {
  const found = path
    .split('/')
    .reduce<unknown>(
      (at, part) => (at !== null && typeof at === 'object' ? (at as JsonObject)[part] : undefined),
      record,
    )
  return Array.isArray(found) ? found : undefined
}

function clear(record: JsonObject, path: string): void {
  const parts = path.split('/')
  const last = parts.pop() as string
  const holder = parts.reduce<JsonObject>((at, part) => at[part] as JsonObject, record)
  holder[last] = null
}
