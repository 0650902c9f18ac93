import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, absence, onDuty } from '#server/wardens/actor.ts'
import {
  countEvacueeGroup as countEvacueeGroupCall,
  getEvacueeThread,
  getWardenThread,
  listTemplates,
  pollEvacueeThread,
  pollWardenThread,
  sendToEvacuee,
  sendToEvacueeGroup,
  sendToWarden,
  sendToWardenGroup,
} from '../calls/messaging.ts'
import { filterMessenger, getMessengerData, listInbox } from '../calls/messenger.ts'
import { filteredWardens, inbox, messengerData, requireTemplateFlag, templates } from './messenger.service.ts'
import {
  countEvacueeGroup,
  messageEvacuee,
  messageEvacueeGroup,
  messageWarden,
  messageWardenGroup,
} from './sending.service.ts'
import { openEvacueeThread, openWardenThread } from './threads.service.ts'

export async function messagingRoutes(app: FastifyInstance) {
  serveThreads(app)
  serveSends(app)
  serve(app, getMessengerData, async ({ actor, read }) => {
    const away = awayFrom(actor)
    if (away) return { messengerList: [], buildings: [], roles: [], ...nobody(actor), ...away }
    return read((tx) => messengerData(tx, onDuty(actor)))
  })
  serve(app, filterMessenger, async ({ actor, input, read }) => {
    const away = awayFrom(actor)
    if (away) return { messengerList: [], ...away }
    return read((tx) => filteredWardens(tx, onDuty(actor), input.query))
  })
  serve(app, listInbox, async ({ actor, input, read }) => {
    const away = awayFrom(actor)
    if (away) return { cspdList: [], ...away }
    return read((tx) => inbox(tx, onDuty(actor), input.query.searchText))
  })
  serve(app, listTemplates, async ({ actor, input, read }) => {
    requireTemplateFlag(actor, input.query.type)
    const away = awayFrom(actor)
    if (away) return { templates: [], ...away }
    return read((tx) => templates(tx, onDuty(actor), input.query.type))
  })
}

/** Returning a thread marks it read. Other phones are notified after the commit. */
function serveThreads(app: FastifyInstance) {
  for (const call of [getEvacueeThread, pollEvacueeThread])
    serve(app, call, async ({ actor, input, read }) => {
      const away = awayFrom(actor)
      if (away) return { recipient: null, messages: [], ...nobody(actor), ...away }
      const opened = await read((tx) => openEvacueeThread(tx, onDuty(actor), input.query.toEvacuee))
      if (opened.hasRead) app.announce()
      return opened.thread
    })
  for (const call of [getWardenThread, pollWardenThread])
    serve(app, call, async ({ actor, input, read }) => {
      const away = awayFrom(actor)
      if (away) return { recipient: null, messages: [], ...nobody(actor), ...away }
      const opened = await read((tx) => openWardenThread(tx, onDuty(actor), input.query.toWarden))
      if (opened.hasRead) app.announce()
      return opened.thread
    })
}

function serveSends(app: FastifyInstance) {
  serve(app, sendToEvacuee, async ({ actor, input, write }) => {
    const away = awayFrom(actor)
    if (away) return { status: 'not_sent' as const, message: away.message }
    return write((tx) => messageEvacuee(app, tx, onDuty(actor), input.body))
  })
  serve(app, sendToWarden, async ({ actor, input, write }) => {
    const away = awayFrom(actor)
    if (away) return { status: 'not_sent' as const, message: away.message }
    return write((tx) => messageWarden(app, tx, onDuty(actor), input.body))
  })
  serve(app, sendToWardenGroup, ({ actor, input, write }) =>
    write((tx) => messageWardenGroup(app, tx, onDuty(actor), input.body)),
  )
  serve(app, countEvacueeGroupCall, async ({ actor, input, read }) => {
    const away = awayFrom(actor)
    if (away) return { count: 0 as const, ...away }
    return read((tx) => countEvacueeGroup(tx, onDuty(actor), input.body.filters))
  })
  serve(app, sendToEvacueeGroup, ({ actor, input, write }) =>
    write((tx) => messageEvacueeGroup(app, tx, onDuty(actor), input.body)),
  )
}

/** Why a caller without a participation gets no data. */
function awayFrom(actor: Actor) {
  const error = absence(actor)
  return error && { error, message: new Refusal(error).message }
}
const nobody = ({ smsAllowed }: Actor) => ({ senderWardenSignInUid: null, sms_allowed: smsAllowed })
