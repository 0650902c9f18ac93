import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import type { CallAnswer, CallContract } from '#kernel/route.ts'
import { leastBytes, takesEncoding } from './compression.ts'
import { type Handling, handlingOf } from './routes.ts'
import { routeOf, type Served } from './serve.ts'

/** An answer that many readers share: written once, and compressed once, when the first of them takes gzip. */
export class ReadyAnswer<T> {
  readonly json: Buffer
  #zipped: Promise<Buffer> | undefined

  constructor(answer: T) {
    this.json = Buffer.from(JSON.stringify(answer))
  }

  zipped(): Promise<Buffer> {
    this.#zipped ??= promisify(gzip)(this.json)
    return this.#zipped
  }
}

/** For a call whose answers are shared. The work is no one's own, so it takes no turn of the caller's session. */
export const ready = <C extends CallContract>(
  handler: (handling: Handling<C>) => Promise<CallAnswer<C> | ReadyAnswer<CallAnswer<C>>>,
  further: { preHandler?: preHandlerAsyncHookHandler } = {},
): Served<C> => ({
  serve: (app, call) => {
    app.route({
      ...routeOf(call),
      ...further,
      handler: async (request, reply) => {
        const answer = await handler(handlingOf<C>(call, request, reply))
        return answer instanceof ReadyAnswer ? sendReady(request, reply, answer) : answer
      },
    })
  },
})

/** Bytes are sent as they are: neither a schema nor a compression of its own touches them. */
async function sendReady({ headers }: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer<unknown>) {
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
  if (answer.json.length < leastBytes || !takesEncoding(headers, 'gzip')) return answer.json
  reply.header('content-encoding', 'gzip')
  return answer.zipped()
}
