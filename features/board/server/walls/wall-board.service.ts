import type { FastifyInstance } from 'fastify'
import { groupOf } from '#kernel/actions.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { ReadyAnswer } from '#server/http/ready-answer.ts'
import type { Services } from '#server/http/services.ts'
import { takeRecentOfNetwork } from '#server/platform/db/network-limits.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Network } from '#server/platform/network.ts'
import { isSealed, keyring, sha256 } from '#server/platform/secrets.ts'
import type { Board } from '../../calls/board.ts'
import type { readWall, ShownBoard, WallBoard } from '../../calls/walls.ts'
import type { Boards, Snapshot } from '../boards.ts'
import { versionOf } from '../present-board.ts'
import { findWall, noteSeen, type Wall } from './wall.queries.ts'

type Answer = CallAnswer<typeof readWall>

/** The board of the site's event for a live link, or that nothing is new. */
export async function readWallBoard(
  services: Services,
  boards: Boards,
  { token, seen, places }: CallInput<typeof readWall>['body'],
  network: Network,
): Promise<Answer | ReadyAnswer<Answer>> {
  const wall = isSealed(keyring(services.secrets, 'walls'), token)
    ? await findWall(services.hot, sha256(token))
    : undefined
  if (!wall) return refuseToken(services, network)
  if (wall.isSeenLongAgo) await noteSeen(services.system, wall)
  if (!wall.eventUid) return presentQuiet(wall, seen)
  const snapshot = await boards.read({ clientUid: wall.clientUid, eventUid: wall.eventUid })
  const shown = shownOn(snapshot, wall)
  const { at, slow_at } = snapshot.board
  if (seen === shown.version) return { unchanged: true, at, slow_at }
  return places === snapshot.places.version ? shown.alone : shown.withPlaces
}

/** Without an event. */
function presentQuiet({ place, siteName, timezone, at }: Wall, seen: string | undefined): Answer {
  const version = versionOf([place, siteName, timezone])
  if (seen === version) return { unchanged: true, at: at.toISOString(), slow_at: null }
  return { version, place, site: siteName, timezone, board: null }
}

interface Shown {
  version: string
  alone: ReadyAnswer<WallBoard>
  withPlaces: ReadyAnswer<WallBoard>
}

/** A snapshot as the screens of a kind get it: made when the first of them reads. */
const made = new WeakMap<Snapshot, Partial<Record<Wall['place'], Shown>>>()

function shownOn(snapshot: Snapshot, { place }: Wall): Shown {
  const known = made.get(snapshot) ?? {}
  made.set(snapshot, known)
  known[place] ??= show(snapshot, place)
  return known[place]
}

function show({ board: full, places }: Snapshot, place: Wall['place']): Shown {
  const isHidden = place === 'public' && full.buildings.some(isQuiet)
  if (isHidden) return hide(full)
  const board = place === 'team' ? full : publicBoard(full)
  const { at: _at, slow_at: _slowAt, horizon: _horizon, ...content } = board
  const version = versionOf([place, content])
  const { name: site, timezone } = full.event.site
  const answer: WallBoard = { version, place, site, timezone, board }
  return { version, alone: new ReadyAnswer(answer), withPlaces: new ReadyAnswer({ ...answer, places }) }
}

const isQuiet = ({ action = 'evacuate', action_before }: Board['buildings'][number]) =>
  groupOf(action, action_before ?? null) === 'quiet'

/** Nothing that a gunman could read. */
function hide({ event }: Board): Shown {
  const version = versionOf(['quiet', event.id])
  const { name: site, timezone } = event.site
  const answer = new ReadyAnswer<WallBoard>({ version, place: 'public', site, timezone, board: null, quiet: true })
  return { version, alone: answer, withPlaces: answer }
}

/** No plans, messages, texts, reports, own words, causes and contradictions. It names what it shows, not what it leaves out. */
function publicBoard({ at, slow_at, horizon, places, event, totals, buildings, floors }: Board): ShownBoard {
  const { people, danger_floors, unknown_by_place, floors: cleared, no_warden, refused, refused_floors } = totals
  return {
    at,
    slow_at,
    horizon,
    places,
    event,
    buildings,
    calls: [],
    contradictions: [],
    more: false,
    totals: { people, danger_floors, unknown_by_place, floors: cleared, no_warden, refused, refused_floors },
    floors: floors.map(({ status, since, by, safe, unknown, danger, danger_at, refused, wardens, ...floor }) => ({
      status,
      since,
      by,
      safe,
      unknown,
      danger,
      danger_at,
      refused,
      wardens,
      gap: floor.gap,
      claimed: floor.claimed,
      offered: floor.offered,
    })),
  }
}

/** Wrong tokens of one network. */
const wrongTokens = { limit: 20, minutes: 1 }
const readsPerMinute = 60

/** The screens of a building share one address, so each token has a count of its own. */
export const limitOfToken = (app: FastifyInstance) =>
  app.rateLimit({
    max: readsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: ({ body }) => sha256((body as { token: string }).token).toString('base64'),
  })

/** Throws `link_ended`, or 429 if the network has sent too many wrong tokens. A right token is never refused. */
async function refuseToken({ system, clock }: Services, network: Network): Promise<never> {
  const isFew = await takeRecentOfNetwork(system, 'wall', network, wrongTokens, clock.now())
  throw new Refusal(isFew ? 'link_ended' : 'too_many_attempts')
}
