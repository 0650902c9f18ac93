import type { AddressInfo } from 'node:net'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { channelSnapshot, isOver } from '#features/live-updates/server/realtime.service.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { Phone, silent } from '../realtime/hub/hub.fixture.ts'
import { createRealtime, type RealtimeOptions, socketPath } from '../realtime/realtime.ts'
import { secretKey, startTestServer } from './test-server.ts'

/** A server with its hub, listening: what the program is without its worker. */
export async function startServerWithSockets({ noteContact }: Pick<RealtimeOptions, 'noteContact'> = {}) {
  let announce = () => {}
  const server = await startTestServer({ announce: () => announce() })
  const { db, database, config, app } = server
  const realtime = createRealtime({
    db,
    inBatch: app.inBatch,
    connection: database.connection,
    keys: [deriveSecrets(secretKey).realtime],
    appUrl: config.appUrl,
    log: silent,
    ...(noteContact && { noteContact }),
    isRevoked: (claims) => isOver(app, claims),
    snapshot: (channel) => channelSnapshot(db, channel),
  })
  announce = () => realtime.feed.announce()
  await realtime.start(app.server)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}${socketPath}`
  return {
    ...server,
    hub: realtime.hub,
    socketUrl: url,
    /** The official client with a token of this session, which it never fetches anew. */
    async connect(call: Awaited<ReturnType<typeof server.as>>, token?: string) {
      const first = token ?? (await call(getChannelToken, {})).token
      const channels = JSON.parse(Buffer.from(first.split('.')[1] as string, 'base64url').toString()).channels
      return { token: first, phone: new Phone(url, '', channels, { token: first, getToken: async () => first }) }
    },
    async [Symbol.asyncDispose]() {
      await realtime.stop({ spreadMs: 0 })
      await server[Symbol.asyncDispose]()
    },
  }
}
