import type { OutboxRecord, UnnumberedRecord } from './outbox-record.ts'

const records = 'records'

/** Where the outbox lies on the phone: IndexedDB, flushed to the disk before a write counts as done. */
export interface Box {
  /** In the order of the taps. */
  list(): Promise<OutboxRecord[]>
  /** Answers the record with its number. */
  add(record: UnnumberedRecord): Promise<OutboxRecord>
  put(record: OutboxRecord): Promise<unknown>
  remove(seq: number): Promise<void>
  /** Looks at a record and deals with it in one transaction, for another tab may be sending. Answers what was there. */
  look(seq: number, act: (record: OutboxRecord, store: IDBObjectStore) => unknown): Promise<OutboxRecord | undefined>
  /** Takes a record out and puts another at the end, both or neither. */
  replace(seq: number, by: UnnumberedRecord): Promise<void>
  close(): void
}

export function openBox(name: string): Box {
  let opening: Promise<IDBDatabase> | undefined

  const database = () => {
    opening ??= openDatabase(name, () => {
      opening = undefined
    })
    // A phone that had no room a moment ago may have some now.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  const work = async <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const db = await database()
    try {
      return await transact(db, mode, ask)
    } catch (error) {
      // iOS cuts the connection of an app that slept; a fresh one works.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
      opening = undefined
      return transact(await database(), mode, ask)
    }
  }

  return {
    list: () => work<OutboxRecord[]>('readonly', (store) => store.getAll()),
    async add(record) {
      const seq = await work('readwrite', (store) => store.add(record))
      return { ...record, seq: Number(seq) }
    },
    put: (record) => work('readwrite', (store) => store.put(record)),
    remove: (seq) => work('readwrite', (store) => store.delete(seq)),
    look: (seq, act) =>
      work('readwrite', (store) => {
        const found = store.get(seq)
        found.onsuccess = () => found.result && act(found.result, store)
        return found
      }),
    replace: (seq, by) =>
      work('readwrite', (store) => {
        store.add(by)
        return store.delete(seq)
      }),
    close: () => void opening?.then((db) => db.close()),
  }
}

function openDatabase(name: string, onLost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(records, { keyPath: 'seq', autoIncrement: true })
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const db = request.result
      db.onclose = onLost
      db.onversionchange = () => {
        db.close()
        onLost()
      }
      resolve(db)
    }
  })
}

/** Resolves when the transaction is complete, not when the request is: only then is it on the disk. */
function transact<T>(
  db: IDBDatabase,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(records, mode, { durability: 'strict' })
    const request = ask(transaction.objectStore(records))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}
