import { readFileSync } from 'node:fs'
import { getRecordChecker, listLogKeys } from '@evac/contract/calls/records/log.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { checkerFile } from './bundle.service.ts'
import { listVerifierKeys } from './heads.service.ts'
import { openSigner } from './note.ts'

export async function logRoutes(app: FastifyInstance) {
  const signer = openSigner(app.secrets.recordLog, app.config.appUrl)
  const checker = readFileSync(checkerFile, 'utf8')
  serve(app, listLogKeys, async ({ readInTurn }) => {
    const keys = await readInTurn(() => listVerifierKeys(app.system, signer))
    return { keys: keys.map(({ key, since }) => ({ key, since: since?.toISOString() ?? null })) }
  })
  serve(app, getRecordChecker, async ({ setHeader }) => {
    setHeader('content-type', 'text/javascript; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="record-check.mjs"')
    return checker
  })
}
