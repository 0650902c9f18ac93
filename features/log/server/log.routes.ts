import { readFileSync } from 'node:fs'
import { routes } from '#server/http/routes.ts'
import * as calls from '../calls.ts'
import { checkerFile } from './bundle.service.ts'
import { keysOf, readCheckpoint } from './heads.service.ts'

export const logRoutes = routes(calls, (app) => {
  const readKeys = keysOf(app)
  const readHeads = readCheckpoint(app)
  const checker = readFileSync(checkerFile, 'utf8')
  return {
    listLogKeys: async ({ readInTurn }) => {
      const keys = await readInTurn(readKeys)
      return { keys: keys.map(({ key, since }) => ({ key, since: since?.toISOString() ?? null })) }
    },
    getLogOfHeads: async ({ readInTurn }) => ({ checkpoint: (await readInTurn(readHeads))?.note ?? null }),
    getRecordChecker: async ({ setHeader }) => {
      setHeader('content-type', 'text/javascript; charset=utf-8')
      setHeader('content-disposition', 'attachment; filename="record-check.mjs"')
      return checker
    },
  }
})
