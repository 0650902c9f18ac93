import { type Outside, ownTransactions, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, absence, onDuty } from '#server/wardens/actor.ts'
import * as messaging from '../calls/messaging.ts'
import * as messenger from '../calls/messenger.ts'
import { filteredWardens, inbox, messengerData, requireTemplateFlag, templates } from './messenger.service.ts'
import {
  countEvacueeGroup,
  messageEvacuee,
  messageEvacueeGroup,
  messageWarden,
  messageWardenGroup,
} from './sending.service.ts'
import { openEvacueeThread, openWardenThread } from './threads.service.ts'

const calls = { ...messaging, ...messenger }

export const messagingRoutes = routes(calls, {
  getMessengerData: ownTransactions(async ({ actor, read }) => {
    const away = awayFrom(actor)
    if (away) return { messengerList: [], buildings: [], roles: [], ...nobody(actor), ...away }
    return read((tx) => messengerData(tx, onDuty(actor)))
  }),
  filterMessenger: ownTransactions(async ({ actor, query, read }) => {
    const away = awayFrom(actor)
    if (away) return { messengerList: [], ...away }
    return read((tx) => filteredWardens(tx, onDuty(actor), query))
  }),
  listInbox: ownTransactions(async ({ actor, query, read }) => {
    const away = awayFrom(actor)
    if (away) return { cspdList: [], ...away }
    return read((tx) => inbox(tx, onDuty(actor), query.searchText))
  }),
  listTemplates: ownTransactions(async ({ actor, query, read }) => {
    requireTemplateFlag(actor, query.type)
    const away = awayFrom(actor)
    if (away) return { templates: [], ...away }
    return read((tx) => templates(tx, onDuty(actor), query.type))
  }),
  getEvacueeThread: ownTransactions((asked) => evacueeThread(asked)),
  pollEvacueeThread: ownTransactions((asked) => evacueeThread(asked)),
  getWardenThread: ownTransactions((asked) => wardenThread(asked)),
  pollWardenThread: ownTransactions((asked) => wardenThread(asked)),
  sendToEvacuee: ownTransactions(async ({ app, actor, body, write }) => {
    const away = awayFrom(actor)
    if (away) return { status: 'not_sent' as const, message: away.message }
    return write((tx) => messageEvacuee(app, tx, onDuty(actor), body))
  }),
  sendToWarden: ownTransactions(async ({ app, actor, body, write }) => {
    const away = awayFrom(actor)
    if (away) return { status: 'not_sent' as const, message: away.message }
    return write((tx) => messageWarden(app, tx, onDuty(actor), body))
  }),
  sendToWardenGroup: ({ tx, app, actor, body }) => messageWardenGroup(app, tx, actor, body),
  countEvacueeGroup: ownTransactions(async ({ actor, body, read }) => {
    const away = awayFrom(actor)
    if (away) return { count: 0 as const, ...away }
    return read((tx) => countEvacueeGroup(tx, onDuty(actor), body.filters))
  }),
  sendToEvacueeGroup: ({ tx, app, actor, body }) => messageEvacueeGroup(app, tx, actor, body),
})

/** Returning a thread marks it read. Other phones are notified after the commit. */
async function evacueeThread({ app, actor, query, read }: Outside<typeof messaging.getEvacueeThread>) {
  const away = awayFrom(actor)
  if (away) return { recipient: null, messages: [], ...nobody(actor), ...away }
  const opened = await read((tx) => openEvacueeThread(tx, onDuty(actor), query.toEvacuee))
  if (opened.hasRead) app.announce()
  return opened.thread
}

async function wardenThread({ app, actor, query, read }: Outside<typeof messaging.getWardenThread>) {
  const away = awayFrom(actor)
  if (away) return { recipient: null, messages: [], ...nobody(actor), ...away }
  const opened = await read((tx) => openWardenThread(tx, onDuty(actor), query.toWarden))
  if (opened.hasRead) app.announce()
  return opened.thread
}

/** Why a caller without a participation gets no data. */
function awayFrom(actor: Actor) {
  const error = absence(actor)
  return error && { error, message: new Refusal(error).message }
}
const nobody = ({ smsAllowed }: Actor) => ({ senderWardenSignInUid: null, sms_allowed: smsAllowed })
