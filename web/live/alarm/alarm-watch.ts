import type { AlarmPlace, getAlarms } from '#features/live-updates/calls/alarms.ts'
import { ApiError } from '#kernel/client/client.ts'
import type { CallReply } from '#kernel/route.ts'
import type { News } from '../feed-news.ts'

type Answer = CallReply<typeof getAlarms>
/** Positions of the journal: what was opened or dismissed, and what the alarm has been raised for. */
interface Positions {
  since: string
  raised: string
}

interface AlarmHandlers {
  ask: (positions: Positions | undefined) => Promise<Answer>
  /** Something new. `places` hold everything that no one has looked at yet. */
  raise: (places: readonly AlarmPlace[]) => void
  /** Nothing new, but the places may be fewer. */
  show: (places: readonly AlarmPlace[]) => void
}

/** Milliseconds. Phones do not all ask at once. */
const gather = 250
const apart = 2000
const alarmsApart = 10_000
const retryAfter = 5000

/** How many transactions had ended at a position. The later one has more. */
function ended(position: string): number {
  const [newest, open] = position.split(':')
  return Number(newest) - (open?.split(',').length ?? 0)
}

/**
 * Asks for alarms when the feed tells of a change that may concern this warden.
 *
 *   the first answer is where the phone begins to listen: older dangers are on the screen, and no alarm
 *   a change ──▶ 250 to 500 ms, 2 s after the last question, 10 s after the last alarm ──▶ ask ──▶ raise, or show
 *
 * Each question is about everything since the warden looked last. So a phone that was away raises one alarm, and a danger
 * that is over by then raises none.
 */
export class AlarmWatch {
  readonly #on: AlarmHandlers
  #positions: Positions | undefined
  /** The floors whose changes concern this warden. Null: any. */
  #floors: ReadonlySet<string> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isAsking = false
  #isWanted = false
  #isStopped = false
  #askedAt = Number.NEGATIVE_INFINITY
  #raisedAt = Number.NEGATIVE_INFINITY

  constructor(on: AlarmHandlers) {
    this.#on = on
    this.#want()
  }

  note(news: News) {
    if (news === null || this.#concerns(news)) this.#want()
  }

  /** The warden has opened or dismissed what the alarm was raised for. Returns up to where. */
  looked(): string | undefined {
    const looked = this.#positions?.raised
    if (looked) this.lookedAt(looked)
    return looked
  }

  /** The same, perhaps in another tab. */
  lookedAt(position: string) {
    if (!this.#positions || ended(position) <= ended(this.#positions.since)) return
    const isAll = ended(position) >= ended(this.#positions.raised)
    this.#positions = { since: position, raised: isAll ? position : this.#positions.raised }
    if (isAll) this.#on.show([])
    else this.#want()
  }

  stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #concerns(news: NonNullable<News>) {
    const floors = this.#floors
    return news.some(({ topic, ids }) => {
      if (topic === 'event' || topic === 'assignment') return true
      if (floors === null) return topic === 'evacuee' || topic === 'floor'
      return topic === 'floor' && (ids.length === 0 || ids.some((id) => floors.has(id)))
    })
  }

  #want(afterMs = gather + Math.random() * gather) {
    this.#isWanted = true
    if (this.#isStopped || this.#isAsking || this.#timer !== undefined) return
    const now = performance.now()
    const earliest = Math.max(now + afterMs, this.#askedAt + apart, this.#raisedAt + alarmsApart)
    this.#timer = setTimeout(() => void this.#ask(), earliest - now)
  }

  async #ask() {
    this.#timer = undefined
    this.#isWanted = false
    this.#isAsking = true
    const asked = this.#positions
    if (asked) this.#askedAt = performance.now()
    const retry = await this.#on.ask(asked).then(
      (answer) => this.#take(asked, answer),
      // Refused: this phone is not on duty, and starts anew when it is.
      (error) => !(error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429),
    )
    this.#isAsking = false
    if (retry) this.#want(retryAfter)
    else if (this.#isWanted) this.#want()
  }

  /** True if the question must be asked again. */
  #take(asked: Positions | undefined, { cursor, floors, places, is_new }: Answer): boolean {
    if (this.#isStopped) return false
    this.#floors = floors && new Set(floors)
    if (this.#positions?.since !== asked?.since) return true
    this.#positions = { since: asked && places.length > 0 ? asked.since : cursor, raised: cursor }
    if (!asked) return false
    if (is_new) {
      this.#raisedAt = performance.now()
      this.#on.raise(places)
    } else this.#on.show(places)
    return false
  }
}
