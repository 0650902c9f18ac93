import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { getRecordChecker, listLogKeys } from '../calls.ts'
import { checkerFile } from './bundle.service.ts'
import { keysOf } from './heads.service.ts'

export async function logRoutes(app: FastifyInstance) {
  const readKeys = keysOf(app)
  const checker = readFileSync(checkerFile, 'utf8')
  serve(app, listLogKeys, async ({ readInTurn }) => {
    const keys = await readInTurn(readKeys)
    return { keys: keys.map(({ key, since }) => ({ key, since: since?.toISOString() ?? null })) }
  })
  serve(app, getRecordChecker, async ({ setHeader }) => {
    setHeader('content-type', 'text/javascript; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="record-check.mjs"')
    return checker
  })
}
