import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Config } from '#server/platform/config/config.ts'
import { createLog } from '#server/platform/observability/log.ts'
import { version } from '#server/platform/version.ts'
import { HeldNames } from './held-names.ts'
import { hashOfKey } from './names.ts'

const closed = { additionalProperties: false } as const
const ListId = '^[0-9a-f]{2}$'
const Hash = Type.String({ pattern: '^[\\w-]{22}$' })
const Marks = Type.Object({ marks: Type.Record(Type.String({ pattern: ListId }), Hash) }, closed)
const List = Type.Object(
  { list: Type.String({ pattern: ListId }), mark: Hash, names: Type.Array(Hash, { maxItems: 2_000_000 }) },
  closed,
)
const Asked = Type.Object({ name: Hash }, closed)

/** A list of a cell of ten million people. */
const bodyLimit = 50_000_000

/**
 * The directory as a service of its own, with neither database nor files: cells tell it hashes of sign-in names, and ask which cell has
 * one. A cell is known by its key, and feeds the address that DIRECTORY_CELLS gives that key. 401 for anyone else.
 */
export async function startDirectory(config: Config) {
  const log = createLog(config.logLevel)
  const app: FastifyInstance = Fastify({
    bodyLimit,
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.get('/health/live', async () => ({ ok: true }))
  app.get('/health/ready', async () => ({ ok: true }))
  app.get('/version', async () => ({ version }))
  await app.register(async (cells) => answerCells(cells, config))
  const url = await app.listen({ port: config.port, host: config.host })
  log.info({ version, cells: config.directoryCells.length }, 'The directory is ready')
  return {
    url,
    greeting: config.production ? undefined : `The directory is ready: ${url}`,
    notices: [],
    log,
    stop: async () => app.close(),
  }
}

function answerCells(app: FastifyInstance, config: Config) {
  const held = new HeldNames()
  // before the body is read. A key cannot be guessed, so wrong ones are not counted
  app.addHook('onRequest', async (request, reply) => {
    if (cellOf(config, request) === undefined) return reply.code(401).send({ error: 'not_a_cell' })
  })
  const addressOf = (request: FastifyRequest) => cellOf(config, request) as string
  app.post<{ Body: Static<typeof Marks> }>('/lists', { schema: { body: Marks } }, async (request) => ({
    wanted: held.compare(addressOf(request), request.body.marks),
  }))
  app.post<{ Body: Static<typeof List> }>('/list', { schema: { body: List } }, async (request) => {
    held.hold(addressOf(request), request.body.list, request.body)
    return { ok: true }
  })
  app.post<{ Body: Static<typeof Asked> }>('/find', { schema: { body: Asked } }, async ({ body }) => ({
    cells: held.find(body.name),
  }))
}

/** The address of the cell that asks. Keys are long and random, so that their hashes are compared as they are. */
function cellOf({ directoryCells }: Config, { headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = /^Bearer (.{1,200})$/.exec(headers.authorization ?? '')?.[1]
  const hash = key === undefined ? undefined : hashOfKey(key)
  return directoryCells.find(({ keyHash }) => keyHash === hash)?.address
}
