import type { RecordStorage } from './core/phone.ts'
import type { OutboxRecord } from './core/record.ts'
import { openDisk } from './outbox-disk.ts'

/** False for a record that the phone could not write down: it is gone with the page. */
export const isKept = ({ seq }: OutboxRecord) => seq > 0

/**
 * F31: the outbox on the disk, and over it what the disk did not take (private mode, a full disk, blocked site data), which
 * lives as long as this page. No call rejects but `list`, where the disk cannot be read and has not refused a write yet.
 */
export function openBox(name: string): RecordStorage {
  const disk = openDisk(name)
  /** By number; null where a record has been taken out. Numbers of the disk are above 0, those given here below. */
  const over = new Map<number, OutboxRecord | null>()
  let lastNumber = Number.MIN_SAFE_INTEGER
  let lastRead: OutboxRecord[] = []
  let hasRefused = false

  const findHere = (seq: number) =>
    (over.has(seq) ? over.get(seq) : lastRead.find((record) => record.seq === seq)) ?? undefined

  const lay = (seq: number, record: OutboxRecord | null) => {
    hasRefused = true
    over.set(seq, record)
  }
  const change = async (seq: number, next: OutboxRecord | null) => {
    if (seq < 0) return void (next ? lay(seq, next) : over.delete(seq))
    try {
      await (next ? disk.put(next) : disk.remove(seq))
      over.delete(seq)
    } catch {
      lay(seq, next)
    }
  }

  const box: RecordStorage = {
    async list() {
      try {
        lastRead = await disk.list()
      } catch (error) {
        if (!hasRefused) throw error
      }
      if (over.size === 0) return lastRead
      const mine = [...over.values()].filter((record) => record !== null)
      const rest = lastRead.filter(({ seq }) => !over.has(seq))
      return [...rest, ...mine].sort((a, b) => a.observedAt - b.observedAt)
    },
    async add(record) {
      try {
        const kept = await disk.add(record)
        lastRead = [...lastRead, kept]
        return kept
      } catch {
        lastNumber += 1
        const unkept = { ...record, seq: lastNumber }
        lay(unkept.seq, unkept)
        return unkept
      }
    },
    put: (record) => change(record.seq, record),
    remove: (seq) => change(seq, null),
    async look(seq, decide) {
      if (!over.has(seq))
        try {
          return await disk.look(seq, decide)
        } catch {}
      const found = findHere(seq)
      if (found) await change(seq, decide(found))
      return found
    },
    async replace(seq, by) {
      if (seq > 0 && !over.has(seq))
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
