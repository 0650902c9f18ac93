import type { FastifyInstance } from 'fastify'
import { readSeenAt, serve, serveObserver } from '#server/http/serve.ts'
import {
  endObserverLink,
  getNoting,
  getObserved,
  listObserved,
  listObservers,
  makeObserverLink,
  noteAsObserver,
} from '../../calls/observing.ts'
import { endLink, linkOf, makeLink, noteByLink, presentObservers, presentToObserver } from './observers.service.ts'
import { noterOf, presentNoting, presentObserved } from './observing.service.ts'

export async function observingRoutes(app: FastifyInstance) {
  const key = app.secrets.observers
  serve(app, listObserved, ({ actor, read }) => read((tx) => presentObserved(tx, actor)))
  serve(app, getNoting, ({ actor, input, read }) =>
    read(async (tx) => presentNoting(tx, await noterOf(tx, actor, input.params.eventUid))),
  )
  serve(app, makeObserverLink, async ({ actor, input, write }) => {
    const made = { eventUid: input.params.eventUid, name: input.body.name, key, now: app.clock.now() }
    const { observer } = await write((tx) => makeLink(tx, actor, made))
    // not part of the answer that is kept for a repeat
    return { observer, link: linkOf(key, app.config.appUrl, observer.uid) }
  })
  serve(app, listObservers, ({ actor, input, read }) =>
    read((tx) => presentObservers(tx, actor, input.params.eventUid)),
  )
  serve(app, endObserverLink, ({ actor, input, write }) =>
    write((tx) => endLink(tx, actor, input.params.eventUid, input.params.uid)),
  )
  serveObserver(app, getObserved, ({ observer, read }) => read((tx) => presentToObserver(tx, observer)))
  serveObserver(app, noteAsObserver, ({ observer, input, request, write }) => {
    const now = app.clock.now()
    return write((tx) => noteByLink(tx, observer, input.body, { at: readSeenAt(request, now), now }))
  })
}
