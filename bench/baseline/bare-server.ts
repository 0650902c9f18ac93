import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'
import { serveHello } from './hello-page.ts'

/**
 * The bare stack on the same machine and database: one session look-up and one UPDATE per request, and a plain
 * WebSocket fan-out. It has no policy, journal, tally or idempotency.
 */
const pool = new pg.Pool({ ...JSON.parse(process.env.BARE_DATABASE ?? '{}'), max: 20 })
const app = Fastify()

app.get('/health/ready', async () => ({ ok: true }))

app.post<{ Body: { personId: string; status: string; event: string } }>('/status', async (request, reply) => {
  const token = request.headers.authorization?.slice(7) ?? ''
  const hash = createHash('sha256').update(token).digest()
  const session = await pool.query(
    'select client_uid from session where token_hash = $1 and revoked_at is null and expires_at > now()',
    [hash],
  )
  const clientUid = session.rows[0]?.client_uid
  if (!clientUid) return reply.code(401).send({ error: 'not_signed_in' })
  const { personId, status, event } = request.body
  const changed = await pool.query(
    'update evacuee set status = $4, status_at = now() where client_uid = $1 and event_uid = $2 and person_uid = $3 returning status, on_floor',
    [clientUid, event, personId, status],
  )
  return { status: 'success', person: changed.rows[0] }
})

app.post<{ Body: { event: string } }>('/report-in', async (request, reply) => {
  const token = request.headers.authorization?.slice(7) ?? ''
  const hash = createHash('sha256').update(token).digest()
  const session = await pool.query(
    'select client_uid, assignment_uid from session where token_hash = $1 and revoked_at is null and expires_at > now()',
    [hash],
  )
  if (!session.rows[0]) return reply.code(401).send({ error: 'not_signed_in' })
  const { client_uid, assignment_uid } = session.rows[0]
  await pool.query(
    `update warden_sign_in set reported_in = true, on_duty = true, on_duty_at = now()
     where client_uid = $1 and event_uid = $2 and assignment_uid = $3`,
    [client_uid, request.body.event, assignment_uid],
  )
  return { status: 'On Duty' }
})

serveHello(app)

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
app.server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws)),
)
/** Everything that a phone of the part `reconnect` asks. */
app.get('/api/*', async () => ({ channels: ['event:bare', 'warden:bare'], token: 'bare', url: '/live' }))
sockets.on('connection', (ws) => ws.on('message', greet))

/** Agrees to every command of the official client. */
function greet(this: WebSocket, data: Buffer) {
  for (const line of String(data).split('\n')) {
    const { id, connect } = JSON.parse(line)
    this.send(JSON.stringify(connect ? { id, connect: { client: 'bare', version: 'bare' } } : { id, subscribe: {} }))
  }
}

app.post('/publish', async (request) => {
  const text = JSON.stringify(request.body)
  for (const ws of sockets.clients) ws.send(text)
  return { ok: true }
})

await app.listen({ port: Number(process.env.BARE_PORT), host: '127.0.0.1' })
