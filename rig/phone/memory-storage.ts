import type { RecordStorage } from '#web/outbox/core/phone.ts'
import type { OutboxRecord, UnnumberedRecord } from '#web/outbox/core/safety-record.ts'

/** Keeps records in memory. Calls `onStored` for each before it can be sent. */
export function memoryStorage(onStored: (record: OutboxRecord) => void): RecordStorage {
  const records = new Map<number, OutboxRecord>()
  let last = 0
  const store = (record: UnnumberedRecord) => {
    const stored = { ...record, seq: ++last }
    records.set(stored.seq, stored)
    onStored(stored)
    return stored
  }
  return {
    list: async () => [...records.values()],
    add: async (record) => store(record),
    put: async (record) => records.set(record.seq, record),
    remove: async (seq) => void records.delete(seq),
    async look(seq, decide) {
      const found = records.get(seq)
      const next = found && decide(found)
      if (next) records.set(seq, next)
      else records.delete(seq)
      return found
    },
    async replace(seq, by) {
      records.delete(seq)
      store(by)
    },
    close: () => undefined,
  }
}
