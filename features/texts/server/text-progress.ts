import type { Db } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import type { ClaimedText } from './sms.queries.ts'

const tellEveryMs = 1_000

/** Announces changed texts of an event, at most once a second, because there may be thousands. */
export class TextProgress {
  readonly #system: Db
  readonly #moved = new Map<string, { clientUid: string; texts: number }>()
  #toldAt = 0

  constructor(system: Db) {
    this.#system = system
  }

  async note(texts: readonly ClaimedText[]) {
    for (const { eventUid, clientUid } of texts)
      if (eventUid) this.#moved.set(eventUid, { clientUid, texts: (this.#moved.get(eventUid)?.texts ?? 0) + 1 })
    if (Date.now() - this.#toldAt >= tellEveryMs) await this.tell()
  }

  async tell() {
    const moved = [...this.#moved]
    this.#moved.clear()
    this.#toldAt = Date.now()
    for (const [eventUid, { clientUid, texts }] of moved)
      await this.#system.transaction().execute((tx) =>
        record(tx, unattended(clientUid), {
          action: 'texts_sent',
          subjectType: 'event',
          subjectUid: eventUid,
          eventUid,
          after: { texts },
        }),
      )
  }
}
