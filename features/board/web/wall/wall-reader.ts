import { ApiError } from '#kernel/client/client.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { createStore } from '#web/lib/store.ts'
import { setSiteZone } from '#web/lib/time/site-clock.ts'
import type { readWall } from '../../calls/walls.ts'
import type { WallPlace } from '../../kinds.ts'
import { keepSame, type Picture } from '../reading/board-snapshot.ts'

type Seen = Omit<CallInput<typeof readWall>['body'], 'token'>
type Answer = CallReply<typeof readWall>

export interface WallShown {
  /** The link has ended: the screen is cleared. */
  isEnded: boolean
  /** Null before the first answer. */
  site: string | null
  place: WallPlace
  /** Null without an event. */
  picture: Picture | null
  /** People hide, and others can see this screen. */
  isQuiet: boolean
  /** When the newest answer came, by this screen's clock. */
  heardAt: number
}

/** Milliseconds. */
const askEvery = 2000
const seldomest = 20_000

/**
 * Asks for as long as the page is open: every 2 s, and every 2 to 20 s while nothing answers. No hand is needed after a
 * restart of the server, nor when an event ends and another begins.
 */
export class WallReader {
  readonly shown = createStore<WallShown>({
    isEnded: false,
    site: null,
    place: 'public',
    picture: null,
    isQuiet: false,
    heardAt: 0,
  })
  readonly #read: (seen: Seen) => Promise<Answer>
  readonly #life = new AbortController()
  #version: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0

  constructor(read: (seen: Seen) => Promise<Answer>) {
    this.#read = read
    window.addEventListener('online', () => this.#again(0), { signal: this.#life.signal })
    void this.#ask()
  }

  stop() {
    this.#life.abort()
    clearTimeout(this.#timer)
  }

  #again(ms: number) {
    clearTimeout(this.#timer)
    if (this.#life.signal.aborted || this.shown.get().isEnded) return
    this.#timer = setTimeout(() => void this.#ask(), ms)
  }

  async #ask() {
    const places = this.shown.get().picture?.places.version
    const seen = { ...(this.#version && { seen: this.#version }), ...(places && { places }) }
    try {
      this.#take(await this.#read(seen), Date.now())
      this.#failures = 0
    } catch (error) {
      this.#failures++
      if (error instanceof ApiError && error.code === 'link_ended') this.#end()
    }
    this.#again(Math.min(seldomest, askEvery * 2 ** Math.min(this.#failures, 4)) * (this.#failures ? 0.5 : 1))
  }

  /** Nothing of the event stays on the screen. */
  #end() {
    this.shown.set({ isEnded: true, site: null, place: 'public', picture: null, isQuiet: false, heardAt: Date.now() })
  }

  #take(answer: Answer, heardAt: number) {
    const before = this.shown.get()
    if ('unchanged' in answer)
      return this.shown.set({ ...before, heardAt, picture: later(before.picture, answer, heardAt) })
    const { version, site, place, board, timezone } = answer
    setSiteZone(timezone)
    const places = answer.places ?? before.picture?.places
    // without its places a board cannot be drawn: all of it is asked for again
    const isWhole = board === null || (places !== undefined && places.version === board.places)
    this.#version = isWhole ? version : undefined
    const picture = board && places && isWhole ? keepSame(before.picture, { board, places, heardAt }) : null
    this.shown.set({ isEnded: false, site, place, picture, isQuiet: answer.quiet === true, heardAt })
  }
}

/** The same figures, as of a later moment. */
function later(picture: Picture | null, { at, slow_at }: { at: string; slow_at: string | null }, heardAt: number) {
  return picture && { ...picture, heardAt, board: { ...picture.board, at, ...(slow_at && { slow_at }) } }
}
