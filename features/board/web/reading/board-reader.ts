import { createStore } from '#web/lib/store.ts'
import { setSiteZone } from '#web/lib/time/site-clock.ts'
import type { News } from '#web/live/feed-news.ts'
import type { Picture } from './board-snapshot.ts'

/** What the board shows: the newest picture, or why there is none. */
export interface Reading {
  picture: Picture | null
  /** The server's word that there is no board: no event, or not on duty. */
  message: string | null
  /** The newest read failed. An older picture stays. */
  error: unknown
  isAsking: boolean
}
type Answer = { picture: Picture } | { message: string }

/** Milliseconds. Phones do not all ask at once. */
const gather = 250
/**
 * A board warns after 15 s without an answer. Asking this much earlier makes that warning always mean a fault.
 */
const quietFor = 12_500
const retryAfter = 3000

interface Needs {
  read: (before: Picture | null) => Promise<Answer>
  /** Milliseconds between two reads, at least. */
  apart: () => number
}

/**
 * Reads the board 250 to 500 ms after the first change, then at most every 2 s (phone 5 s), one request at a time,
 * and without news too. A hidden tab reads nothing, and at once when it is shown.
 */
export class BoardReader {
  readonly reading = createStore<Reading>({ picture: null, message: null, error: null, isAsking: true })
  readonly #needs: Needs
  readonly #life = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY
  #isAsking = false
  #hasNews = false

  constructor(needs: Needs) {
    this.#needs = needs
    const { signal } = this.#life
    const look = () => (document.hidden ? this.#rest() : this.askNow())
    document.addEventListener('visibilitychange', look, { signal })
    window.addEventListener('online', () => this.askNow(), { signal })
    this.askNow()
  }

  note(news: News) {
    if (news?.every(({ topic }) => topic === 'assignment')) return
    this.#hasNews = true
    this.#askSoon()
  }

  askNow() {
    void this.#ask()
  }

  stop() {
    this.#life.abort()
    this.#rest()
  }

  #askSoon() {
    this.#askIn(Math.max(gather * (1 + Math.random()), this.#askedAt + this.#needs.apart() - performance.now()))
  }

  /** The earliest of what was asked for. */
  #askIn(ms: number) {
    const dueAt = performance.now() + ms
    if (this.#isAsking || document.hidden || this.#life.signal.aborted || dueAt >= this.#dueAt) return
    this.#rest()
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => void this.#ask(), ms)
  }

  #rest() {
    clearTimeout(this.#timer)
    this.#dueAt = Number.POSITIVE_INFINITY
  }

  async #ask() {
    if (this.#isAsking || document.hidden || this.#life.signal.aborted) return
    this.#rest()
    this.#isAsking = true
    this.#hasNews = false
    this.#askedAt = performance.now()
    const before = this.reading.get()
    if (!before.picture) this.reading.set({ ...before, isAsking: true })
    const next = await this.#needs.read(before.picture).then(
      (answer) => ({ picture: null, message: null, ...answer, error: null, isAsking: false }),
      (error: unknown) => ({ ...before, error, isAsking: false }),
    )
    this.#isAsking = false
    if (this.#life.signal.aborted) return
    if (next.picture) setSiteZone(next.picture.board.event.site.timezone)
    this.reading.set(next)
    if (this.#hasNews) this.#askSoon()
    this.#askIn(next.error ? retryAfter : quietFor)
  }
}
