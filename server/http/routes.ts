import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallContract, CallInput, ConsolePolicy, Policy, SessionPolicy } from '#kernel/route.ts'
import type { Administrator } from '../administrators/administrator.ts'
import { type Db, inClients, readIn, sqlState, type Tx } from '../platform/db/db.ts'
import { Refusal } from '../platform/errors.ts'
import { type Network, networkOf } from '../platform/network.ts'
import { type Actor, type DutyActor, onDuty } from '../wardens/actor.ts'
import type { ObserverActor } from '../wardens/observer.ts'
import { once } from './idempotency.ts'
import { inTurn, readOf, routeOf, type Served, writeKeyOf } from './serve.ts'
import type { Reader } from './warden-or-administrator.ts'

/** Who makes a call, by its policy. */
type Caller<P extends Policy> = P extends ConsolePolicy
  ? { administrator: Administrator }
  : P extends { access: 'observer' }
    ? { observer: ObserverActor }
    : P extends { orConsole: string }
      ? { reader: Reader }
      : P extends { withoutEvent: 'refuse' }
        ? { actor: DutyActor }
        : P extends { access: 'public' }
          ? unknown
          : { actor: Actor }

/** What every handler gets: the validated input, the caller, and the services. */
export type Handling<C extends CallContract> = CallInput<C> &
  Caller<C['policy']> & {
    app: FastifyInstance
    now: Date
    /** A Buffer for a call that takes `bytes` and got some. */
    content: unknown
    request: FastifyRequest
    /** The caller's network, for throttles. */
    network: Network
    /** Sets a header of the reply. */
    setHeader(name: string, value: string): void
    /** Runs a read on another pool, in turn with all other reads. */
    readInTurn<T>(read: () => Promise<T>): Promise<T>
  }

/** Runs one transaction that sees only the caller's organisation. A warden may be the same person in others. */
export type InTransaction<P extends Policy = SessionPolicy> = P extends SessionPolicy
  ? <T>(work: (tx: Tx) => Promise<T>, clientUids?: readonly string[]) => Promise<T>
  : <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

interface Transactions<P extends Policy> {
  /** A read. Those of wardens wait in one line. */
  read: InTransaction<P>
  /** The same for what all phones ask at once: it changes nothing, and its statements keep their plans (`ReadMode`). */
  readOften: InTransaction<P>
  /** A change: once per idempotency key, and the hubs wake up after the commit. */
  write: InTransaction<P>
  /**
   * A change that also touches accounts and second factors, which no organisation's role sees. The transaction sees
   * everything: each statement names the organisation itself.
   */
  writeWithAccounts: InTransaction<P>
}

type InOne<C extends CallContract> = (handling: Handling<C> & { tx: Tx }) => Promise<CallAnswer<C>>
/** What a handler outside a transaction gets. */
export type Outside<C extends CallContract> = Handling<C> & Transactions<C['policy']>

/** A handler runs in one transaction: of a GET it reads, of others it writes. A public call has no organisation to see. */
export type Handler<C extends CallContract> = C extends { policy: { access: 'public' } }
  ? (handling: Handling<C>) => Promise<CallAnswer<C>>
  : InOne<C>

/** A handler for each call of a module, so that a call without one does not compile. */
type Handlers<Calls> = {
  [Name in keyof Calls as Calls[Name] extends CallContract ? Name : never]: Calls[Name] extends CallContract
    ? Handler<Calls[Name]> | Served<Calls[Name]>
    : never
}

/** The plugin that serves these calls. Handlers that share something are made by a function that opens it. */
export function routes<Calls extends Readonly<Record<string, unknown>>>(
  calls: Calls,
  handlers: Handlers<Calls> | ((app: FastifyInstance) => Handlers<Calls>),
): FastifyPluginAsync {
  return async (app) => {
    const given = typeof handlers === 'function' ? handlers(app) : handlers
    const served = Object.entries<AnyHandler | Served<CallContract>>(given).map(([name, handler]) => {
      // biome-ignore lint/plugin: a name of `Handlers`
      return { call: calls[name] as CallContract, handler }
    })
    if (served.some(({ call }) => call.bytes)) takeBytes(app)
    for (const { call, handler } of served)
      if (typeof handler === 'object') handler.serve(app, call)
      else if (call.policy.access === 'public') serveOutside(app, call, handler)
      else serveInOne(app, call, call.method === 'GET' ? 'read' : 'write', handler)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each handler was checked against its call
type AnyHandler = (handling: any) => Promise<any>

/** For a call that only reads, whatever its method. Nothing is stored for a repeat. */
export const reading = <C extends CallContract>(handler: InOne<C>) => inOne<C>('read', handler)

/** For a GET that changes something. */
export const writing = <C extends CallContract>(handler: InOne<C>) => inOne<C>('write', handler)

/** Changes accounts or second factors as well (`writeWithAccounts`). */
export const withAccounts = <C extends CallContract>(handler: InOne<C>) => inOne<C>('writeWithAccounts', handler)

/** For a handler that opens its transactions itself, or needs none. */
export const ownTransactions = <C extends CallContract>(
  handler: (handling: Outside<C>) => Promise<CallAnswer<C>>,
): Served<C> => ({
  serve: (app, call) => serveOutside(app, call, handler),
})

const inOne = <C extends CallContract>(kind: keyof Transactions<Policy>, handler: InOne<C>): Served<C> => ({
  serve: (app, call) => serveInOne(app, call, kind, handler),
})

function serveInOne(
  app: FastifyInstance,
  call: CallContract,
  kind: keyof Transactions<Policy>,
  handler: AnyHandler,
): void {
  serveOutside(app, call, (handling) => handling[kind]((tx: Tx) => handler({ ...handling, tx })))
}

function serveOutside(app: FastifyInstance, call: CallContract, handler: AnyHandler): void {
  app.route({
    ...routeOf(call),
    handler: (request, reply) => inTurn(request, () => handler(handlingOf(call, request, reply))),
  })
}

/** Lets the calls of these routes take files. Everywhere else a body is JSON. */
function takeBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
}

export function handlingOf<C extends CallContract>({ policy }: C, request: FastifyRequest, reply: FastifyReply) {
  const { server, params, query, body } = request
  const handling = {
    params,
    query,
    body,
    ...callerOf(policy, request),
    app: server,
    get now() {
      return server.clock.now()
    },
    content: body,
    request,
    network: networkOf(request),
    setHeader: (name: string, value: string) => void reply.header(name, value),
    readInTurn: <T>(work: () => Promise<T>) => readOf(request, work),
    ...transactionsOf(policy, request),
  }
  // biome-ignore lint/plugin: what the policy of the call gives
  return handling as unknown as Outside<C>
}

function callerOf(policy: Policy, request: FastifyRequest) {
  const { access } = policy
  if (access === 'console') return { administrator: request.administrator }
  if (access === 'observer') return { observer: request.observer }
  if (access === 'session' && policy.orConsole) return { reader: request.administrator ?? request.actor }
  if (access === 'duty' && policy.withoutEvent === 'refuse') return { actor: onDuty(request.actor) }
  return { actor: request.actor }
}

function transactionsOf({ access }: Policy, request: FastifyRequest): Transactions<SessionPolicy> {
  const { actor, administrator, observer, server } = request
  // idempotency keys are of a person; observers are none, and have a uid as good
  const asker = observer
    ? { clientUid: observer.clientUid, personUid: observer.uid as PersonUid }
    : (administrator ?? actor)
  const change = <T>(db: Db, clientUids: readonly string[], work: (tx: Tx) => Promise<T>) => {
    const key = writeKeyOf(request, asker.personUid)
    return announced(server, inClients(db, clientUids, (tx) => once(tx, key, () => work(tx))).catch(refuseLongWait))
  }
  // what administrators open also notes that they did, so their reads may write, and wait in no line
  const read: InTransaction =
    access === 'console'
      ? (work, clientUids = [asker.clientUid]) => inClients(server.db, clientUids, work)
      : (work, clientUids = [asker.clientUid]) => readOf(request, () => inClients(server.db, clientUids, work))
  return {
    read,
    readOften: (work, clientUids = [asker.clientUid]) =>
      readOf(request, () => readIn(server.db, clientUids, work, 'kept plans')),
    write: (work, clientUids = [asker.clientUid]) => change(server.db, clientUids, work),
    writeWithAccounts: (work, clientUids = [asker.clientUid]) => change(server.system, clientUids, work),
  }
}

/** Wakes the hubs after the commit. */
async function announced<T>({ announce }: Pick<FastifyInstance, 'announce'>, reply: Promise<T>): Promise<T> {
  const value = await reply
  announce()
  return value
}

/** A change that has waited too long for another one is to be tried again. */
function refuseLongWait(error: unknown): never {
  throw sqlState(error) === lockNotAvailable ? new Refusal('busy') : error
}

const lockNotAvailable = '55P03'
