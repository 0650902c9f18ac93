import { keysOf } from '#features/log/server/heads.service.ts'
import { sentAtHeader } from '#kernel/write-headers.ts'
import { ownTransactions, routes } from '#server/http/routes.ts'
import { readSeenAt } from '#server/http/serve.ts'
import * as additions from '../calls/additions.ts'
import * as holds from '../calls/hold.ts'
import * as late from '../calls/late.ts'
import * as records from '../calls/records.ts'
import * as replay from '../calls/replay.ts'
import { presentActions } from './actions/actions.service.ts'
import { add, isNote } from './additions.service.ts'
import { presentDue } from './drills-due.service.ts'
import { hold } from './hold/hold.service.ts'
import { keepLate } from './late/late.service.ts'
import { note, noterOf } from './observing/observing.service.ts'
import { presentOwners } from './owners/owners.service.ts'
import { presentNames, presentRecord, presentRecords, presentReplay, presentTrends } from './records.service.ts'
import { presentTimeline } from './timeline.service.ts'

const calls = { ...records, ...replay, ...additions, ...holds, ...late }

export const recordsRoutes = routes(calls, (app) => {
  const readKeys = keysOf(app)
  return {
    listRecords: ({ tx, reader, query }) => presentRecords(tx, reader, query),
    listTrends: ({ tx, reader, query }) => presentTrends(tx, reader, query.site),
    listDrillsDue: ({ tx, reader, query }) => presentDue(tx, reader, query),
    getRecord: ownTransactions(async ({ reader, params, readInTurn, read }) => {
      const facts = {
        keys: await readInTurn(readKeys),
        hasMail: app.config.mail !== undefined && app.config.mail !== 'simulator',
      }
      return read((tx) => presentRecord(tx, reader, params.eventUid, facts))
    }),
    listTimeline: ({ tx, reader, params, query }) => presentTimeline(tx, reader, params.eventUid, query),
    getReplay: ({ tx, reader, params }) => presentReplay(tx, reader, params.eventUid),
    listNames: ({ tx, reader, params, body }) => presentNames(tx, reader, params.eventUid, body),
    addToRecord: ownTransactions(({ actor, params, body, now, request, write }) =>
      write(async (tx) =>
        isNote(body)
          ? note(tx, await noterOf(tx, actor, params.eventUid), body, { at: readSeenAt(request, now), now })
          : add(tx, actor, params.eventUid, body, now),
      ),
    ),
    holdRecord: ({ tx, actor, params, body }) => hold(tx, actor, params.eventUid, body),
    findOwners: ({ tx, actor, query }) => presentOwners(tx, actor, query.q),
    listActions: ({ tx, reader, query }) => presentActions(tx, reader, query),
    sendLateRecords: ownTransactions(({ actor, body, request, write }) => {
      const sentAt = Date.parse(String(request.headers[sentAtHeader]))
      return write((tx) => keepLate(tx, actor, body, Number.isNaN(sentAt) ? null : new Date(sentAt)))
    }),
  }
})
