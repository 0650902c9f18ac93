import { readerOf, unreadOf } from '#features/messaging/server/unread.service.ts'
import * as limits from '#kernel/limits.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { UnguardedWrite } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { findPosition } from '#server/realtime/centrifugo/centrifugo.queries.ts'
import { findHorizon } from '#server/realtime/feed/feed.queries.ts'
import { type ConnectionClaims, signCentrifugoTokens, signConnectionToken } from '#server/realtime/hub/token.ts'
import { socketPath } from '#server/realtime/realtime.ts'
import { type Actor, type ActorEvent, absence, type DutyActor, onDuty } from '#server/wardens/actor.ts'
import {
  type getChannels,
  type getChannelToken,
  type Publication,
  type pollEvent as pollEventCall,
  removedMessage,
} from '../calls/realtime.ts'
import {
  dutyChecks,
  findDuty,
  findEndingOfLinkSession,
  findRecentEnding,
  type RecentEnding,
} from './realtime.queries.ts'

const channelsOf = (actor: DutyActor) => [`event:${actor.event.uid}`, `warden:${actor.signIn.uid}`]

/** The channels of the participation. None unless on duty. */
export async function presentChannels(app: Reader, actor: Actor): Promise<CallAnswer<typeof getChannels>> {
  const isOnDuty = !absence(actor)
  const behind = isOnDuty ? await secondsBehind(app) : 0
  return {
    channels: isOnDuty ? channelsOf(onDuty(actor)) : [],
    Warden_Sign_In_UID: actor.signIn?.uid ?? null,
    event_kind: actor.event?.kind ?? null,
    ...(actor.event && actor.assignment && { timezone: actor.assignment.timezone }),
    made_live: actor.event?.liveUnseen ? { event: actor.event.uid, at: actor.event.liveUnseen.toISOString() } : null,
    ...(behind > 0 && { live: { behind_seconds: behind } }),
  }
}

type Reader = Pick<Services, 'sharedRead' | 'system' | 'config'>

const readHorizon = ({ sharedRead, system }: Reader) => sharedRead('live updates behind', () => findHorizon(system))

/** A leader says each second that all is well. */
const usualPause = 5

/**
 * For how many whole seconds a change has waited behind an open transaction, or no process has published to Centrifugo. Any
 * process tells, with a hub or without.
 */
async function secondsBehind(app: Reader): Promise<number> {
  const { heldBackSeconds } = await readHorizon(app)
  return Math.floor(Math.max(heldBackSeconds ?? 0, app.config.centrifugo ? await secondsWithoutLeader(app) : 0))
}

async function secondsWithoutLeader({ sharedRead, system }: Reader): Promise<number> {
  const position = await sharedRead('position of the leader', () => findPosition(system))
  const seconds = position?.secondsAgo ?? limits.liveLateSeconds
  return seconds > usualPause ? seconds : 0
}

/**
 * A token for this participation and its channels. The socket's address is a path, because browsers
 * may connect only to the page's own origin, and to what the page's policy names.
 */
export async function issueChannelToken(app: Services, actor: DutyActor): Promise<CallAnswer<typeof getChannelToken>> {
  const { centrifugo } = app.config
  const claims = { sub: actor.signIn.uid, channels: channelsOf(actor), sid: actor.sessionUid }
  const answer = { expires_in: limits.realtimeTokenSeconds, url: centrifugo?.publicUrl ?? socketPath }
  if (!centrifugo) return { token: await signConnectionToken(app.secrets.realtime, claims), ...answer }
  const { token, channelTokens } = await signCentrifugoTokens(app.secrets.realtime, claims)
  return { token, channel_tokens: channelTokens, ...answer }
}

/** True unless the participation is on duty and its session is valid. */
export async function isOver(
  { inBatch }: Pick<Services, 'inBatch'>,
  { sub, sid }: Pick<ConnectionClaims, 'sub' | 'sid'>,
): Promise<boolean> {
  return (await inBatch(dutyChecks, { signInUid: sub, sessionUid: sid })) === undefined
}

/** The first publication of a warden's own channel: the current unread state. */
export async function channelSnapshot(system: Db, channel: string): Promise<string | null> {
  const signInUid = /^warden:(.+)$/.exec(channel)?.[1]
  const duty = signInUid && (await findDuty(system, signInUid))
  if (!duty) return null
  const publication: Publication = { ...(await unreadOf(system, duty)), ...running(duty) }
  return JSON.stringify(publication)
}

/**
 * A session of a report-in link ends with its event. For ten more minutes its token can read why, and
 * nothing else.
 */
export async function answerPoll(
  app: Services,
  { guard, readAs, tokenHash }: Pick<UnguardedWrite<typeof pollEventCall>, 'guard' | 'readAs' | 'tokenHash'>,
): Promise<Publication> {
  try {
    const actor = await guard()
    // before reading: the answer has everything up to there. The own hub says it when a phone subscribes
    const at = app.config.centrifugo && (await readHorizon(app)).finished
    const told = await readAs(actor, (tx) => pollEvent(tx, actor))
    return at === undefined ? told : { ...told, at }
  } catch (error) {
    const hasEnded = error instanceof Refusal && error.code === 'not_signed_in' && tokenHash
    const ending = hasEnded && (await findEndingOfLinkSession(app.system, tokenHash))
    if (!ending) throw error
    return presentEnding(ending)
  }
}

/** The publication that a disconnected phone has missed. */
async function pollEvent(db: Db, actor: Actor): Promise<Publication> {
  if (!absence(actor)) {
    const unread = await unreadOf(db, readerOf(onDuty(actor)))
    return { ...unread, ...running(onDuty(actor).event) }
  }
  if (actor.event) return running(actor.event)
  const ending = actor.assignment && (await findRecentEnding(db, actor.assignment.uid))
  return ending ? presentEnding(ending) : { status: 'no_event', message: null }
}

const running = ({ kind }: Pick<ActorEvent, 'kind'>): Publication => ({
  status: 'ok',
  message: null,
  event: { status: true, ended_by: null },
  event_kind: kind,
})

function presentEnding(ending: RecentEnding): Publication {
  if (ending.eventEnded) return { status: 'ok', message: null, event: { status: false, ended_by: ending.endedBy } }
  return { status: 'removed', message: removedMessage, event: { status: true, ended_by: null } }
}
