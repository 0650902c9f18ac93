import type { FastifyInstance } from 'fastify'
import { briefCommand } from '#features/command/server/command.service.ts'
import { briefInstruction } from '#features/command/server/instruction.service.ts'
import { briefCoverage } from '#features/coverage/server/coverage.service.ts'
import { readPageRequest } from '#features/evacuation/server/people-page.service.ts'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { getBrief } from '../calls/brief.ts'
import { getEventTexts, listUnreached } from '../calls/event-texts.ts'
import { createEvent, endEvent, listEventSites, listUnaccounted, makeEventLive, noteLiveSeen } from '../calls/events.ts'
import { presentSites, shrinkOrEnd, startOrExtend, unaccounted } from './events.service.ts'
import { makeLive, noteSeen } from './made-live.service.ts'
import { eventTexts, unreached } from './text-delivery.service.ts'

/** The body itself, or its field `userInput`. */
const unwrap = <T extends object>(body: T | { userInput: T }): T => ('userInput' in body ? body.userInput : body)

export async function eventsRoutes(app: FastifyInstance) {
  serve(app, listEventSites, ({ actor, read }) => read((tx) => presentSites(tx, actor)))
  serve(app, createEvent, async ({ actor, input, write }) => {
    const reply = await write((tx) => startOrExtend(app, tx, actor, unwrap(input.body)))
    if (reply.status === 'event_created') app.refreshStatistics()
    return reply
  })
  serve(app, endEvent, ({ actor, input, write }) => write((tx) => shrinkOrEnd(app, tx, actor, unwrap(input.body))))
  serve(app, makeEventLive, ({ actor, input, write }) => write((tx) => makeLive(app, tx, actor, input.body)))
  serve(app, noteLiveSeen, ({ actor, input, write }) => write((tx) => noteSeen(tx, onDuty(actor), input.body)))
  serve(app, listUnaccounted, ({ actor, input: { query }, read }) =>
    read((tx) => unaccounted(tx, actor, { ...readPageRequest(query), eventUid: query.event, status: query.status })),
  )
  serve(app, getEventTexts, ({ actor, read }) => read((tx) => eventTexts(tx, actor)))
  serve(app, listUnreached, ({ actor, input, read }) => read((tx) => unreached(tx, actor, input.query.after)))
  // the header of each event page: who is in command, the newest instruction, floors without a warden
  serve(app, getBrief, ({ actor, read }) =>
    read(async (tx) => ({
      command: await briefCommand(tx, onDuty(actor), app.clock.now()),
      instruction: await briefInstruction(tx, onDuty(actor)),
      ...(await briefCoverage(tx, onDuty(actor))),
    })),
  )
}
