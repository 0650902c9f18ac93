import { briefCommand } from '#features/command/server/command.service.ts'
import { briefInstruction } from '#features/command/server/instruction.service.ts'
import { briefCoverage } from '#features/coverage/server/coverage.service.ts'
import { readPageRequest } from '#features/evacuation/server/people-page.service.ts'
import { ownTransactions, routes } from '#server/http/routes.ts'
import * as brief from '../calls/brief.ts'
import * as texts from '../calls/event-texts.ts'
import * as events from '../calls/events.ts'
import { briefActions, changeAction } from './change-action.service.ts'
import { shrinkOrEnd } from './end-event.service.ts'
import { presentSites, unaccounted } from './events.service.ts'
import { makeLive, noteSeen } from './made-live.service.ts'
import { startOrExtend } from './start-event.service.ts'
import { eventTexts, unreached } from './text-delivery.service.ts'

/** The body itself, or its field `userInput`. */
const unwrap = <T extends object>(body: T | { userInput: T }): T => ('userInput' in body ? body.userInput : body)

const calls = { ...brief, ...texts, ...events }

export const eventsRoutes = routes(calls, {
  listEventSites: ({ tx, actor }) => presentSites(tx, actor),
  createEvent: ownTransactions(async ({ app, actor, body, write }) => {
    const reply = await write((tx) => startOrExtend(app, tx, actor, unwrap(body)))
    if (reply.status === 'event_created') app.refreshStatistics()
    return reply
  }),
  endEvent: ({ tx, app, actor, body }) => shrinkOrEnd(app, tx, actor, unwrap(body)),
  makeEventLive: ({ tx, app, actor, body }) => makeLive(app, tx, actor, body),
  changeAction: ({ tx, app, actor, body }) => changeAction(app, tx, actor, body),
  noteLiveSeen: ({ tx, actor, body }) => noteSeen(tx, actor, body),
  listUnaccounted: ({ tx, actor, query }) =>
    unaccounted(tx, actor, { ...readPageRequest(query), eventUid: query.event, status: query.status }),
  getEventTexts: ({ tx, actor }) => eventTexts(tx, actor),
  listUnreached: ({ tx, actor, query }) => unreached(tx, actor, query.after),
  // the header of each event page: who is in command, the newest instruction, floors without a warden
  getBrief: async ({ tx, actor, now }) => ({
    command: await briefCommand(tx, actor, now),
    instruction: await briefInstruction(tx, actor),
    ...(await briefCoverage(tx, actor)),
    ...(await briefActions(tx, actor)),
  }),
})
