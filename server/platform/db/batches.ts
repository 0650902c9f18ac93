import type { RawBuilder } from 'kysely'
import type { Histogram } from 'prom-client'
import { type Db, isDatabaseAway, type OneStatement, sqlState } from './db.ts'

/** Records of one kind. Those that wait at the same time share one statement. */
export interface RecordKind<Sent, Stored> {
  /** Its name in the metrics. */
  name: string
  /** One statement for all these records, as its own transaction. A row names its record by `n`, from 1. */
  statement: (records: readonly Sent[]) => RawBuilder<Stored & { n: number }>
  /** Senders take turns when more records wait than one statement holds. */
  senderOf: (record: Sent) => string
  /** What two records that run at the same time must not share: the row that they change, their key. */
  apartBy: (record: Sent) => readonly string[]
}

/** The values of one field of all records, for `unnest`. */
export const each =
  <Sent>(records: readonly Sent[]) =>
  <Field extends keyof Sent>(field: Field) =>
    records.map((record) => record[field])

/** Returns the row of the record, or undefined if the statement has none for it. Throws the record's own error. */
export type InBatch = <Sent, Stored>(kind: RecordKind<Sent, Stored>, record: Sent) => Promise<Stored | undefined>

/** Each record in a statement of its own. */
export const oneByOne =
  (db: Db): InBatch =>
  async (kind, record) =>
    (await kind.statement([record]).execute(db)).rows[0]

export interface Batches {
  inBatch: InBatch
  /** Resolves when no record waits or runs. */
  drained(): Promise<void>
}

export interface BatchMetrics {
  batchRecords: Histogram<'kind'>
  /** Seconds that a record waits for its statement. */
  batchWait: Histogram<'kind'>
}

interface Limits {
  /** Statements of one kind at once. */
  lanes?: number
  /** Records in one statement. A publication names up to 50 changes, so keep it below. */
  most?: number
  /** A statement that takes longer, because it waits for a lock, no longer occupies its lane. */
  patienceMs?: number
  /** Statements of one kind at once, with those that have left their lane. */
  mostAtOnce?: number
}

/**
 * Collects records while the statement before them runs. A record that finds a free lane goes at once and alone. Each
 * lane that becomes free takes what waits by then.
 */
export function openBatches(oneStatement: OneStatement, metrics: BatchMetrics, limits: Limits = {}): Batches {
  const collectors = new Map<object, Collector<never, unknown>>()

  function collectorOf<Sent, Stored>(kind: RecordKind<Sent, Stored>): Collector<Sent, Stored> {
    const found = collectors.get(kind) as Collector<Sent, Stored> | undefined
    const collector = found ?? collect(kind, oneStatement, metrics, limits)
    if (!found) collectors.set(kind, collector as Collector<never, unknown>)
    return collector
  }

  return {
    inBatch: (kind, record) => collectorOf(kind).add(record),
    drained: async () => void (await Promise.all([...collectors.values()].map(({ drained }) => drained()))),
  }
}

interface Collector<Sent, Stored> {
  add(record: Sent): Promise<Stored | undefined>
  drained(): Promise<void>
}

interface Waiting<Sent, Stored> {
  record: Sent
  apart: readonly string[]
  since: number
  answer: (stored: Stored | undefined) => void
  fail: (error: unknown) => void
}

function collect<Sent, Stored>(
  kind: RecordKind<Sent, Stored>,
  oneStatement: OneStatement,
  { batchRecords, batchWait }: BatchMetrics,
  { lanes = 1, most = 32, patienceMs = 100, mostAtOnce = 4 }: Limits,
): Collector<Sent, Stored> {
  type Batch = Waiting<Sent, Stored>[]
  const waiting = lineUp<Waiting<Sent, Stored>>(most)
  const running = new Set<Promise<void>>()
  let inLanes = 0

  function add(record: Sent): Promise<Stored | undefined> {
    return new Promise((answer, fail) => {
      const apart = kind.apartBy(record)
      waiting.add(kind.senderOf(record), { record, apart, since: performance.now(), answer, fail })
      fillLanes()
    })
  }

  function fillLanes() {
    while (inLanes < lanes && running.size < mostAtOnce) {
      const batch = waiting.take()
      if (batch.length === 0) return
      const run = runInLane(batch).finally(() => {
        running.delete(run)
        fillLanes()
      })
      running.add(run)
    }
  }

  async function runInLane(batch: Batch): Promise<void> {
    inLanes++
    let leaveLane = () => {
      leaveLane = () => undefined
      inLanes--
    }
    const patience = setTimeout(() => {
      leaveLane()
      fillLanes()
    }, patienceMs)
    for (const { since } of batch) batchWait.observe({ kind: kind.name }, (performance.now() - since) / 1000)
    await run(batch)
    clearTimeout(patience)
    leaveLane()
    waiting.release(batch)
  }

  /** A batch that the database has undone runs again record by record, so a bad record costs only itself. */
  async function run(batch: Batch): Promise<void> {
    batchRecords.observe({ kind: kind.name }, batch.length)
    try {
      const rows = await oneStatement(kind.statement(batch.map(({ record }) => record)))
      const rowOf = new Map(rows.map((row) => [row.n, row]))
      for (const [i, { answer }] of batch.entries()) answer(rowOf.get(i + 1))
    } catch (error) {
      if (batch.length > 1 && isUndone(error)) for (const one of batch) await run([one])
      else for (const { fail } of batch) fail(error)
    }
  }

  async function drained() {
    while (running.size > 0) await Promise.all(running)
  }

  return { add, drained }
}

/** The database has rejected the statement. After a lost connection no one knows whether it was committed. */
const isUndone = (error: unknown) => sqlState(error) !== undefined && !isDatabaseAway(error)

/**
 * Lines of records, one for each sender. Senders take turns: a served sender moves to the end. Records that must stay apart
 * are never taken at the same time.
 */
function lineUp<One extends { apart: readonly string[] }>(most: number) {
  const lines = new Map<string, One[]>()
  const taken = new Set<string>()

  /** Takes one record of each sender. Returns false if there was none to take. */
  function takeRound(batch: One[]): boolean {
    const served: [string, One[]][] = []
    for (const [sender, line] of lines) {
      if (batch.length === most) break
      const at = line.findIndex(({ apart }) => apart.every((one) => !taken.has(one)))
      const [next] = at < 0 ? [] : line.splice(at, 1)
      if (!next) continue
      for (const one of next.apart) taken.add(one)
      batch.push(next)
      served.push([sender, line])
    }
    for (const [sender, line] of served) {
      lines.delete(sender)
      if (line.length > 0) lines.set(sender, line)
    }
    return served.length > 0
  }

  return {
    add(sender: string, one: One) {
      const line = lines.get(sender) ?? []
      lines.set(sender, line)
      line.push(one)
    },
    /** The next batch, of `most` records at most. */
    take(): One[] {
      const batch: One[] = []
      while (batch.length < most && takeRound(batch));
      return batch
    },
    release(batch: readonly One[]) {
      for (const { apart } of batch) for (const one of apart) taken.delete(one)
    },
  }
}
