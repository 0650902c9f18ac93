import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PlainPage, wrongAddressesPerMinute } from '#kernel/plain-pages.ts'
import { inClients, readIn, type Tx } from '../platform/db/db.ts'
import { countNetwork } from '../platform/db/network-limits.ts'
import { Refusal } from '../platform/errors.ts'
import { type Network, networkOf } from '../platform/network.ts'
import { html, plainHeaders, plainPage } from '../platform/plain-page.ts'
import { noteError } from './error-handler.ts'

/** What a page answers: a status with HTML, or the address of another page of ours. */
export type PlainAnswer = { status: 200 | 404 | 410 | 422 | 429; page: string; style?: string } | { to: `/${string}` }

export interface PlainHandling {
  /** Parts of the address. */
  params: Readonly<Record<string, string>>
  /** Fields of the form, trimmed. An absent one is empty. */
  form: Readonly<Record<string, string>>
  request: FastifyRequest
  network: Network
  /** Runs one transaction that sees only this organisation, in turn with all other reads. */
  read<T>(clientUid: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for what changes nothing and shows one moment. */
  readMoment<T>(clientUid: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for a change. The hubs wake up after the commit. */
  write<T>(clientUid: string, work: (tx: Tx) => Promise<T>): Promise<T>
}

type Handler = (handling: PlainHandling) => Promise<PlainAnswer>

/** Serves a page of `plainPages`. */
export function servePlain(app: FastifyInstance, page: PlainPage, handler: Handler): void {
  app.route({
    method: page.method,
    url: page.path,
    exposeHeadRoute: false,
    schema: { hide: true },
    config: { policy: page.policy, rateLimit: { max: page.perMinute, ...countApart(page) } },
    bodyLimit: largestForm(page.form),
    handler: async (request, reply) => {
      const answer = await handler(handlingOf(app, page, request))
      if ('to' in answer) return reply.headers(plainHeaders()).redirect(answer.to, 303)
      return reply.code(answer.status).headers(plainHeaders(answer.style)).send(answer.page)
    },
  })
}

/** The form has been read when such requests are counted. */
const countApart = ({ apart }: PlainPage) =>
  apart && {
    hook: 'preHandler' as const,
    keyGenerator: (request: FastifyRequest) => {
      const { line } = networkOf(request)
      const isApart = request.body instanceof URLSearchParams && request.body.get(apart.field) === apart.value
      return isApart ? `${line} ${apart.value}` : line
    },
  }

/** An encapsulated part of the app whose bodies are forms and whose errors are pages. */
export function takePlainPages(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  )
  app.setErrorHandler(answerInPlain)
}

/** Each character of a form as three bytes, four times for those of other scripts. */
const largestForm = (form: PlainPage['form'] = {}) =>
  Object.entries(form).reduce((sum, [name, length]) => sum + name.length + 2 + length * 12, 512)

function handlingOf(app: FastifyInstance, page: PlainPage, request: FastifyRequest): PlainHandling {
  const inTurn = <T>(read: () => Promise<T>) => app.readInTurn(() => request.raw.socket.destroyed, read)
  return {
    params: request.params as Record<string, string>,
    form: readForm(page, request.body),
    request,
    network: networkOf(request),
    read: (clientUid, work) => inTurn(() => inClients(app.db, [clientUid], work)),
    readMoment: (clientUid, work) => inTurn(() => readIn(app.db, [clientUid], work, 'one snapshot')),
    write: async (clientUid, work) => {
      const done = await inClients(app.db, [clientUid], work)
      app.announce()
      return done
    },
  }
}

/** Throws `invalid_request` for a field that is longer than its limit or has control characters. Unknown fields are left out. */
function readForm({ form = {} }: PlainPage, body: unknown): Record<string, string> {
  const given = body instanceof URLSearchParams ? body : new URLSearchParams()
  return Object.fromEntries(
    Object.entries(form).map(([name, longest]) => {
      const text = (given.get(name) ?? '').trim()
      if (text.length > longest || /\p{Cc}/u.test(text)) throw new Refusal('invalid_request', 'Use plain text.', [name])
      return [name, text]
    }),
  )
}

/**
 * Counts an address that opens nothing. Who tries more than 20 a minute reads 429. Addresses that open something are never
 * counted, so that no one who guesses beside them locks the fire service out.
 */
export async function countWrongAddress(app: FastifyInstance, network: Network): Promise<void> {
  const rule = { limit: wrongAddressesPerMinute, minutes: 1 }
  if (!(await countNetwork(app.system, 'address', network, rule, app.clock.now())))
    throw new Refusal('too_many_requests')
}

/** The error as a page, with the status of the API's. */
async function answerInPlain(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const { status } = await noteError(error, request, reply)
  const sentence = sentences[status] ?? sentences[500]
  const page = plainPage({ title: 'Not opened', body: html`<main><h1>${sentence}</h1></main>` })
  return reply.code(status).headers(plainHeaders()).send(page)
}

const sentences: Readonly<Record<number, string>> = {
  404: 'This page does not exist.',
  413: 'This was too long. Go back and write less.',
  422: 'Use plain text. Go back and write it again.',
  429: 'Too many requests. Try again in a minute. Do you need help? Tell a warden, or call the emergency services.',
  500: 'Something went wrong on our side. Try again.',
  503: 'The service is not ready. Try again.',
}
