import { addToRecord, listActions } from '@evac/contract/calls/records/additions.ts'
import {
  getRecord,
  listDrillsDue,
  listNames,
  listRecords,
  listTimeline,
  listTrends,
} from '@evac/contract/calls/records/records.ts'
import type { FastifyInstance } from 'fastify'
import { readSeenAt, serve } from '../../http/http.ts'
import { add, isNote, presentActions } from './additions.service.ts'
import { presentDue } from './due.service.ts'
import { note, noterOf } from './observing/observing.service.ts'
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
  serve(app, addToRecord, ({ actor, input: { params, body }, request, write }) => {
    const now = app.clock.now()
    return write(async (tx) =>
      isNote(body)
        ? note(tx, await noterOf(tx, actor, params.eventUid), body, { at: readSeenAt(request, now), now })
        : add(tx, actor, params.eventUid, body, now),
    )
  })
  serve(app, listActions, ({ actor, input, read }) => read((tx) => presentActions(tx, actor, input.query)))
}
