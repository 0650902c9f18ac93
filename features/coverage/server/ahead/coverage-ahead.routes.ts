import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import {
  askForDay,
  getCoverageAhead,
  getOwnDays,
  listAskable,
  setOwnDay,
  takeForDay,
} from '../../calls/coverage-ahead.ts'
import {
  askForOneDay,
  presentAhead,
  presentAskable,
  presentOwnDays,
  setDay,
  takeForOneDay,
} from './coverage-ahead.service.ts'

export async function coverageAheadRoutes(app: FastifyInstance) {
  serve(app, getCoverageAhead, ({ actor, input, read }) => read((tx) => presentAhead(tx, actor, input.query)))
  serve(app, listAskable, ({ actor, input, read }) => read((tx) => presentAskable(tx, actor, input.query)))
  serve(app, askForDay, ({ actor, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => askForOneDay(app, tx, actor, input.body)),
  )
  serve(app, getOwnDays, ({ actor, read }) => read((tx) => presentOwnDays(tx, actor)))
  serve(app, setOwnDay, ({ actor, input, write }) => write((tx) => setDay(tx, actor, input.body)))
  serve(app, takeForDay, ({ actor, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => takeForOneDay(app, tx, actor, input.body)),
  )
}
