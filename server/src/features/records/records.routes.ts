import { addToRecord, listActions } from '@evac/contract/calls/records/additions.ts'
import { sendLateRecords } from '@evac/contract/calls/records/late.ts'
import {
  getRecord,
  listDrillsDue,
  listNames,
  listRecords,
  listTimeline,
  listTrends,
} from '@evac/contract/calls/records/records.ts'
import { sentAtHeader } from '@evac/contract/write-headers.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { add, presentActions } from './additions.service.ts'
import { presentDue } from './due.service.ts'
import { keepLate } from './late/late.service.ts'
import { presentNames, presentRecord, presentRecords, presentTrends } from './records.service.ts'
import { presentTimeline } from './timeline.service.ts'

export async function recordsRoutes(app: FastifyInstance) {
  serve(app, listRecords, ({ actor, input, read }) => read((tx) => presentRecords(tx, actor, input.query)))
  serve(app, listTrends, ({ actor, input, read }) => read((tx) => presentTrends(tx, actor, input.query.site)))
  serve(app, listDrillsDue, ({ actor, input, read }) => read((tx) => presentDue(tx, actor, input.query)))
  serve(app, getRecord, ({ actor, input, read }) => read((tx) => presentRecord(tx, actor, input.params.eventUid)))
  serve(app, listTimeline, ({ actor, input, read }) =>
    read((tx) => presentTimeline(tx, actor, input.params.eventUid, input.query)),
  )
  serve(app, listNames, ({ actor, input, write }) =>
    write((tx) => presentNames(tx, actor, input.params.eventUid, input.body)),
  )
  serve(app, addToRecord, ({ actor, input, write }) =>
    write((tx) => add(tx, actor, input.params.eventUid, input.body, app.clock.now())),
  )
  serve(app, sendLateRecords, ({ actor, input, request, write }) => {
    const sentAt = Date.parse(String(request.headers[sentAtHeader]))
    return write((tx) => keepLate(tx, actor, input.body, Number.isNaN(sentAt) ? null : new Date(sentAt)))
  })
  serve(app, listActions, ({ actor, input, read }) => read((tx) => presentActions(tx, actor, input.query)))
}
