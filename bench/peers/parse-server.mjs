import http from 'node:http'
import express from 'express'
import { ParseServer } from 'parse-server'

/**
 * Parse Server with LiveQuery in one process, set up for PostgreSQL as in its guide. It does the least that a warden
 * needs: only signed-in users read and write, clients create no tables, and a repeated request counts once (unless
 * PARSE_IDEMPOTENT=off).
 */
const { PARSE_PORT, PARSE_DATABASE } = process.env
const { connectionString, ...options } = JSON.parse(PARSE_DATABASE)
const signedIn = { requiresAuthentication: true }

const parse = new ParseServer({
  appId: 'bench',
  masterKey: process.env.PARSE_MASTER_KEY,
  serverURL: `http://127.0.0.1:${PARSE_PORT}/parse`,
  databaseURI: connectionString ?? 'postgres://postgres@localhost/parse',
  databaseOptions: { ...options, max: 20 },
  allowClientClassCreation: false,
  liveQuery: { classNames: ['Evacuee'] },
  idempotencyOptions:
    process.env.PARSE_IDEMPOTENT === 'off' ? { paths: [], ttl: 300 } : { paths: ['classes/.*'], ttl: 300 },
  schema: {
    strict: true,
    definitions: [
      {
        className: 'Evacuee',
        fields: { event: { type: 'String' }, name: { type: 'String' }, status: { type: 'String' } },
        indexes: { event: { event: 1 } },
        classLevelPermissions: { find: signedIn, get: signedIn, update: signedIn, create: {}, delete: {} },
      },
    ],
  },
  logLevel: 'error',
  silent: true,
  verbose: false,
})
await parse.start()

const app = express()
app.get('/health/ready', (_request, response) => response.end())
app.use('/parse', parse.app)
const server = http.createServer(app)
await ParseServer.createLiveQueryServer(server)
server.listen(Number(PARSE_PORT), '127.0.0.1')
