import type { RecordStorage } from './core/phone.ts'
import type { OutboxRecord } from './core/safety-record.ts'
import { openDisk } from './outbox-disk.ts'

/** False for a record that the phone could not store. It is lost with the page. */
export const isSaved = ({ seq }: OutboxRecord) => seq > 0

/**
 * The outbox on the disk, with changes that the disk rejected (private mode, a full disk, blocked site data) in
 * memory above it. Memory lasts as long as this page. No call rejects, except `list` while the disk is unreadable and has
 * not rejected a write yet.
 */
export function openStorage(name: string): RecordStorage {
  const disk = openDisk(name)
  /** By number. Null marks a deleted record. Numbers of the disk are above 0, numbers of memory below 0. */
  const inMemory = new Map<number, OutboxRecord | null>()
  let lastNumber = Number.MIN_SAFE_INTEGER
  let lastRead: OutboxRecord[] = []
  let hasRefused = false

  const findHere = (seq: number) =>
    (inMemory.has(seq) ? inMemory.get(seq) : lastRead.find((record) => record.seq === seq)) ?? undefined

  const keepInMemory = (seq: number, record: OutboxRecord | null) => {
    hasRefused = true
    inMemory.set(seq, record)
  }
  const change = async (seq: number, next: OutboxRecord | null) => {
    if (seq < 0) return void (next ? keepInMemory(seq, next) : inMemory.delete(seq))
    try {
      await (next ? disk.put(next) : disk.remove(seq))
      inMemory.delete(seq)
    } catch {
      keepInMemory(seq, next)
    }
  }

  const box: RecordStorage = {
    async list() {
      try {
        lastRead = await disk.list()
      } catch (error) {
        if (!hasRefused) throw error
      }
      if (inMemory.size === 0) return lastRead
      const mine = [...inMemory.values()].filter((record) => record !== null)
      const rest = lastRead.filter(({ seq }) => !inMemory.has(seq))
      return [...rest, ...mine].sort((a, b) => a.observedAt - b.observedAt)
    },
    async add(record) {
      try {
        const kept = await disk.add(record)
        lastRead = [...lastRead, kept]
        return kept
      } catch {
        lastNumber += 1
        const unsaved = { ...record, seq: lastNumber }
        keepInMemory(unsaved.seq, unsaved)
        return unsaved
      }
    },
    put: (record) => change(record.seq, record),
    remove: (seq) => change(seq, null),
    async look(seq, decide) {
      if (!inMemory.has(seq))
        try {
          return await disk.look(seq, decide)
        } catch {}
      const found = findHere(seq)
      if (found) await change(seq, decide(found))
      return found
    },
    async replace(seq, by) {
      if (seq > 0 && !inMemory.has(seq))
        try {
          return await disk.replace(seq, by)
        } catch {}
      await change(seq, null)
      await box.add(by)
    },
    close: disk.close,
  }
  return box
}
