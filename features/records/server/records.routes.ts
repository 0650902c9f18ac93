import type { FastifyInstance } from 'fastify'
import { keysOf } from '#features/log/server/heads.service.ts'
import { sentAtHeader } from '#kernel/write-headers.ts'
import { readSeenAt, serve, serveShared } from '#server/http/serve.ts'
import { addToRecord, findOwners, listActions } from '../calls/additions.ts'
import { holdRecord } from '../calls/hold.ts'
import { sendLateRecords } from '../calls/late.ts'
import { getRecord, listDrillsDue, listNames, listRecords, listTimeline, listTrends } from '../calls/records.ts'
import { getReplay } from '../calls/replay.ts'
import { add, isNote, presentActions } from './additions.service.ts'
import { presentDue } from './drills-due.service.ts'
import { hold } from './hold/hold.service.ts'
import { keepLate } from './late/late.service.ts'
import { note, noterOf } from './observing/observing.service.ts'
import { presentOwners } from './owners/owners.service.ts'
import { presentNames, presentRecord, presentRecords, presentReplay, presentTrends } from './records.service.ts'
import { presentTimeline } from './timeline.service.ts'

export async function recordsRoutes(app: FastifyInstance) {
  const readKeys = keysOf(app)
  serveShared(app, listRecords, ({ reader, input, read }) => read((tx) => presentRecords(tx, reader, input.query)))
  serveShared(app, listTrends, ({ reader, input, read }) => read((tx) => presentTrends(tx, reader, input.query.site)))
  serveShared(app, listDrillsDue, ({ reader, input, read }) => read((tx) => presentDue(tx, reader, input.query)))
  serveShared(app, getRecord, async ({ reader, input, read, readInTurn }) => {
    const facts = {
      keys: await readInTurn(readKeys),
      hasMail: app.config.mail !== undefined && app.config.mail !== 'simulator',
    }
    return read((tx) => presentRecord(tx, reader, input.params.eventUid, facts))
  })
  serveShared(app, listTimeline, ({ reader, input, read }) =>
    read((tx) => presentTimeline(tx, reader, input.params.eventUid, input.query)),
  )
  serveShared(app, getReplay, ({ reader, input, read }) =>
    read((tx) => presentReplay(tx, reader, input.params.eventUid)),
  )
  serveShared(app, listNames, ({ reader, input, write }) =>
    write((tx) => presentNames(tx, reader, input.params.eventUid, input.body)),
  )
  serve(app, addToRecord, ({ actor, input: { params, body }, request, write }) => {
    const now = app.clock.now()
    return write(async (tx) =>
      isNote(body)
        ? note(tx, await noterOf(tx, actor, params.eventUid), body, { at: readSeenAt(request, now), now })
        : add(tx, actor, params.eventUid, body, now),
    )
  })
  serve(app, holdRecord, ({ actor, input, write }) => write((tx) => hold(tx, actor, input.params.eventUid, input.body)))
  serve(app, findOwners, ({ actor, input, read }) => read((tx) => presentOwners(tx, actor, input.query.q)))
  serveShared(app, listActions, ({ reader, input, read }) => read((tx) => presentActions(tx, reader, input.query)))
  serve(app, sendLateRecords, ({ actor, input, request, write }) => {
    const sentAt = Date.parse(String(request.headers[sentAtHeader]))
    return write((tx) => keepLate(tx, actor, input.body, Number.isNaN(sentAt) ? null : new Date(sentAt)))
  })
}
