import { type Static, Type } from 'typebox'
import { SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { wallPlaces } from '../kinds.ts'
import { Board, BoardPlaces, BoardTotals } from './board.ts'

const Name = Type.String()
const Instant = Type.String()
const Uid = Type.String({ format: 'uuid' })

/** `seen_at` is written once a minute at most. */
export type WallLink = Static<typeof WallLink>
export const WallLink = Type.Object({
  uid: Uid,
  name: Type.String(),
  place: Type.Enum([...wallPlaces]),
  by: Name,
  made_at: Instant,
  ends_at: Instant,
  seen_at: Type.Union([Instant, Type.Null()]),
})

const manager = { access: 'session', flag: 'Module_Event_Management' } as const
const tokenLength = 80

export const listWalls = defineCall({
  summary: 'Live wall links of the site',
  method: 'GET',
  path: '/api/event/walls',
  query: Type.Object({ site: SiteUid }),
  reply: Type.Object({ walls: Type.Array(WallLink) }),
  policy: manager,
  refusals: ['not_found'],
})

export const makeWall = defineCall({
  summary: 'Make a wall link. Its address is returned only once',
  method: 'POST',
  path: '/api/event/walls',
  body: Type.Object(
    {
      site: SiteUid,
      name: Type.String({ minLength: 1, maxLength: 40, pattern: '\\S' }),
      place: Type.Enum([...wallPlaces]),
      days: Type.Integer({ minimum: 1, maximum: 366 }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ uid: Uid, url: Type.String() }),
  policy: manager,
  refusals: ['not_found', 'too_many_links'],
})

export const endWall = defineCall({
  summary: 'End a wall link at once',
  method: 'POST',
  path: '/api/event/walls/:uid/end',
  params: Type.Object({ uid: Uid }),
  reply: Type.Object({ status: Type.Literal('success') }),
  policy: manager,
  refusals: ['not_found'],
})

/** A screen where others can see it lacks plans, messages, texts, reports, causes and contradictions. */
export type ShownBoard = Static<typeof ShownBoard>
export const ShownBoard = Type.Object({
  ...Board.properties,
  totals: Type.Object({
    ...BoardTotals.properties,
    unknown_by_cause: Type.Optional(BoardTotals.properties.unknown_by_cause),
    calls: Type.Optional(Type.Integer()),
    own_word: Type.Optional(Type.Integer()),
    plans: Type.Optional(Type.Integer()),
    unanswered: Type.Optional(Type.Integer()),
  }),
})

export type WallBoard = Static<typeof WallBoard>
export const WallBoard = Type.Object({
  /** What the screen sends as `seen`: the same as long as nothing but the times `at`, `slow_at` and `horizon` is new. */
  version: Type.String(),
  place: Type.Enum([...wallPlaces]),
  site: Type.String(),
  /** By whose clock the screen tells the time. IANA name. */
  timezone: Type.String(),
  /** Null: no event at the site. */
  board: Type.Union([ShownBoard, Type.Null()]),
  /** Additive: people hide, and others can see this screen: it has no board. */
  quiet: Type.Optional(Type.Literal(true)),
  /** Left out if the screen has this version of them, or there is no event. */
  places: Type.Optional(BoardPlaces),
})

/** Nothing is new but the times. */
const Unchanged = Type.Object({
  unchanged: Type.Literal(true),
  at: Instant,
  /** Null without an event. */
  slow_at: Type.Union([Instant, Type.Null()]),
})

export const readWall = defineCall({
  summary: "What a wall screen shows of its site's event. The token opens nothing else",
  method: 'POST',
  path: '/api/wall/board',
  body: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: tokenLength }),
      /** The version of the answer and of the places that the screen has. */
      seen: Type.Optional(Type.String({ maxLength: 40 })),
      places: Type.Optional(Type.String({ maxLength: 40 })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Union([Unchanged, WallBoard]),
  policy: { access: 'public' },
  /** The screens of a building share one address, so each token has a count of its own, and wrong ones are counted apart. */
  countedByAddress: false,
  refusals: ['link_ended', 'too_many_attempts', 'too_many_requests'],
})
