import { type Contact, markContact } from './phone-contact.queries.ts'

/** A pause that is longer is a gap. */
const gapMs = 90_000
const markMs = 60_000
/** Phones that come back at once share a mark. */
const soonMs = 1_000

interface Seen {
  /** Milliseconds of the process: in contact from the one to the other, without a gap. */
  first: number
  last: number
  /** `last` at the last mark. */
  marked: number
}

interface Options {
  db: Parameters<typeof markContact>[0]
  onTrouble: (error: unknown) => void
  now?: () => number
}

/**
 * Which wardens this node has seen, by socket or poll. It costs a look-up in memory, and one statement a minute. A
 * phone that comes is marked within a second. What cannot be written is written with the next mark.
 */
export function openContact({ db, onTrouble, now = () => performance.now() }: Options) {
  const seen = new Map<string, Seen>()
  let listSockets: () => Iterable<string> = () => []
  let soon: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  /** A socket that opens, is open or closes, or a poll. */
  const note = (signInUid: string) => {
    const at = now()
    const known = seen.get(signInUid)
    if (known && at - known.last <= gapMs) {
      known.last = at
      return
    }
    seen.set(signInUid, { first: at, last: at, marked: Number.NEGATIVE_INFINITY })
    soon ??= setTimeout(() => void mark(), soonMs).unref()
  }

  const write = async () => {
    clearTimeout(soon)
    soon = undefined
    const at = now()
    const due = [...seen].filter(([, { last, marked }]) => last > marked)
    if (due.length === 0) return
    const ago = (ms: number) => (at - ms) / 1000
    const contacts: Contact[] = due.map(([signInUid, { first, last }]) => ({
      signInUid,
      firstAgo: ago(first),
      lastAgo: ago(last),
    }))
    const upTo = due.map(([, { last }]) => last)
    await markContact(db, contacts)
    for (const [index, [, one]] of due.entries()) {
      const last = upTo[index] as number
      Object.assign(one, { first: last, marked: last })
    }
  }
  /** Marks of one node take turns. */
  const mark = () => {
    writing = writing.then(write).catch(onTrouble)
    return writing
  }
  /** Once a minute: all that have a socket open. Who was not seen for longer than a gap is forgotten. */
  const markAll = async () => {
    for (const signInUid of listSockets()) note(signInUid)
    await mark()
    for (const [signInUid, { last, marked }] of seen) if (last <= marked && now() - last > gapMs) seen.delete(signInUid)
  }
  const timer = setInterval(() => void markAll(), markMs).unref()

  return {
    note,
    markAll,
    /** Whose sockets are open on this node. */
    follow(sockets: () => Iterable<string>) {
      listSockets = sockets
    },
    async stop() {
      clearInterval(timer)
      await mark()
    },
  }
}
export type ContactOfPhones = ReturnType<typeof openContact>
