import { within } from '#server/administrators/reach.ts'
import { reading, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as calls from '../calls.ts'
import { listEntered, listSignIns } from './origins.queries.ts'
import { presentChanges, presentOwnChanges } from './sign-in-changes.service.ts'

export const authorityRoutes = routes(calls, {
  listOwnSignInChanges: ({ tx, actor, now }) => presentOwnChanges(tx, actor, now),
  listSignInChanges: ({ tx, administrator, now }) => presentChanges(tx, administrator, now),
  readSignInOrigins: reading(async ({ tx, app, administrator, body }) => {
    const { clientUid } = administrator
    const people = [...new Set(body.people)]
    const entered = await listEntered(tx, clientUid, within(administrator).person, people)
    if (entered.length < people.length) throw new Refusal('not_found')
    const signIns = new Map((await listSignIns(app.system, clientUid, people)).map((one) => [one.uid, one]))
    return entered.map(({ personUid, name, entered }) => {
      const of = signIns.get(personUid)
      const addresses = entered.filter(({ field }) => field !== 'username' || of?.hasUsername)
      return {
        person: personUid,
        name,
        addresses: addresses.map(({ by, at }) => ({ by, at: at.toISOString() })),
        password_was_shown: of?.isShown ?? false,
        password_merged: of?.mergedAt && of.mergedBy ? { by: of.mergedBy, at: of.mergedAt.toISOString() } : null,
      }
    })
  }),
})
