import type { News, Phone } from './phone.ts'
import type { OutboxRecord, SentRecord } from './safety-record.ts'

/** All records of the outbox, oldest first, including those of other wardens who use this phone. */
export interface ShownRecords {
  get(): readonly OutboxRecord[]
  set(records: readonly OutboxRecord[]): void
}

/** Keeps `records` equal to the storage, and reports each acknowledged record, in every tab. */
export function createNews({ storage, tabs }: Phone, records: ShownRecords) {
  const listeners = new Set<(sent: SentRecord) => void>()
  let isClosed = false

  const hear = (sent: SentRecord) => {
    for (const listener of listeners) listener(sent)
  }
  const refresh = async () => {
    const kept = await storage.list().catch(() => records.get())
    if (!isSame(kept, records.get())) records.set(kept)
  }
  const tell = (news: News) => {
    if (!isClosed) tabs?.postMessage(news)
  }

  return {
    listeners,
    open() {
      if (tabs) tabs.onmessage = ({ data }: { data: News }) => (data === 'changed' ? void refresh() : hear(data))
      void refresh()
    },
    async tellChanged() {
      await refresh()
      tell('changed')
    },
    tellSent(sent: SentRecord) {
      hear(sent)
      tell(sent)
    },
    close() {
      isClosed = true
      tabs?.close()
    },
  }
}

/** A record changes only by its rejection. An equal list is not set again, so that nothing is redrawn. */
const isSame = (a: readonly OutboxRecord[], b: readonly OutboxRecord[]) =>
  a.length === b.length && a.every(({ seq, setback }, at) => b[at]?.seq === seq && b[at]?.setback === setback)
