import type { RecordStorage } from './core/phone.ts'
import type { OutboxRecord } from './core/safety-record.ts'

const records = 'records'

/** Milliseconds. The disk of some phones never answers. After `patience` it is left alone for `pause`. */
const patience = 3000
const pause = 30_000

/** The outbox in IndexedDB. A write resolves once it is flushed to the disk. Every call rejects if the phone does. */
export function openDisk(name: string): RecordStorage {
  let opening: Promise<IDBDatabase> | undefined
  let silentUntil = 0

  const database = () => {
    opening ??= openDatabase(name, () => {
      opening = undefined
    })
    // The disk may have room by the next call.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  const work = <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      const giveUp = () => reject(new Error('The disk does not answer'))
      if (Date.now() < silentUntil) return giveUp()
      const timer = setTimeout(() => {
        silentUntil = Date.now() + pause
        giveUp()
      }, patience)
      const done = (result: T) => {
        silentUntil = 0
        resolve(result)
      }
      void tryWork(mode, ask)
        .then(done, reject)
        .finally(() => clearTimeout(timer))
    })

  const tryWork = async <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const db = await database()
    try {
      return await transact(db, mode, ask)
    } catch (error) {
      // iOS closes the connection of a suspended app. A new one works.
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
    look: (seq, decide) =>
      work('readwrite', (store) => {
        const found: IDBRequest<OutboxRecord | undefined> = store.get(seq)
        found.onsuccess = () => {
          if (!found.result) return
          const next = decide(found.result)
          if (next) store.put(next)
          else store.delete(seq)
        }
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

/** Resolves when the transaction is complete. A successful request alone is not on the disk yet. */
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
