import { ownTransactions, routes } from '#server/http/routes.ts'
import { readSeenAt } from '#server/http/serve.ts'
import * as calls from '../../calls/observing.ts'
import { endLink, linkOf, makeLink, noteByLink, presentObservers, presentToObserver } from './observers.service.ts'
import { noterOf, presentNoting, presentObserved } from './observing.service.ts'

export const observingRoutes = routes(calls, {
  listObserved: ({ tx, actor }) => presentObserved(tx, actor),
  getNoting: async ({ tx, actor, params }) => presentNoting(tx, await noterOf(tx, actor, params.eventUid)),
  makeObserverLink: ownTransactions(async ({ app, actor, params, body, now, write }) => {
    const key = app.secrets.observers
    const made = { eventUid: params.eventUid, name: body.name, key, now }
    const { observer } = await write((tx) => makeLink(tx, actor, made))
    // not part of the answer that is kept for a repeat
    return { observer, link: linkOf(key, app.config.appUrl, observer.uid) }
  }),
  listObservers: ({ tx, actor, params }) => presentObservers(tx, actor, params.eventUid),
  endObserverLink: ({ tx, actor, params }) => endLink(tx, actor, params.eventUid, params.uid),
  getObserved: ({ tx, observer }) => presentToObserver(tx, observer),
  noteAsObserver: ({ tx, observer, body, request, now }) =>
    noteByLink(tx, observer, body, { at: readSeenAt(request, now), now }),
})
