import { listCandidates } from '#features/administrators/calls/administrators.ts'
import { invitationLink } from '#features/sign-in/server/invitations/invitations.service.ts'
import { ownTransactions, reading, routes, withAccounts } from '#server/http/routes.ts'
import { inClients } from '#server/platform/db/db.ts'
import * as people from '../calls/people.ts'
import * as peopleBulk from '../calls/people-bulk.ts'
import * as signInActs from '../calls/sign-in-acts.ts'
import { changeMany, moveFrom } from './bulk.service.ts'
import { findCandidates, list, listChoices, writeFile } from './people.service.ts'
import { add, change, deactivate, listFloors, reactivate } from './person.service.ts'
import { present } from './present-person.service.ts'
import { inviteByMail, mailPasswordLink, makeShown, signOutEverywhere } from './sign-in-acts.service.ts'

const calls = { ...people, listCandidates, ...peopleBulk, ...signInActs }

export const peopleRoutes = routes(calls, (app) => {
  const { system, secrets, config, jobs, clock } = app
  const services = () => ({ system, secrets, config, jobs, clock, now: clock.now() })
  return {
    listPeople: ({ tx, administrator, query }) => list(services(), tx, administrator, query),
    // no reply is stored: it has names and numbers
    downloadPeople: reading(({ tx, administrator, body }) => writeFile(services(), tx, administrator, body)),
    listCandidates: ({ tx, administrator, query }) => findCandidates(tx, administrator, query.q),
    listPeopleChoices: ({ tx, administrator }) => listChoices(tx, administrator),
    listFloorChoices: ({ tx, administrator, query }) => listFloors(tx, administrator, query.building),
    getPerson: ownTransactions(({ administrator, params }) =>
      inClients(system, [administrator.clientUid], (tx) => present(app, tx, administrator, params.uid)),
    ),
    addPerson: withAccounts(({ tx, administrator, body }) => add(services(), tx, administrator, body)),
    changePerson: withAccounts(({ tx, administrator, params, body }) =>
      change(services(), tx, administrator, params.uid, body),
    ),
    deactivatePerson: withAccounts(({ tx, administrator, params }) =>
      deactivate(services(), tx, administrator, params.uid),
    ),
    reactivatePerson: withAccounts(({ tx, administrator, params }) =>
      reactivate(services(), tx, administrator, params.uid),
    ),
    changePeople: withAccounts(({ tx, administrator, body }) => changeMany(services(), tx, administrator, body)),
    movePeople: withAccounts(({ tx, administrator, body }) => moveFrom(services(), tx, administrator, body)),
    invitePerson: withAccounts(({ tx, administrator, params }) =>
      inviteByMail(services(), tx, administrator, params.uid),
    ),
    showInvitation: ownTransactions(async ({ administrator, params, writeWithAccounts }) => {
      const { invitationUid, ...shown } = await writeWithAccounts((tx) =>
        makeShown(services(), tx, administrator, params.uid),
      )
      return { ...shown, link: invitationLink(secrets.invitations, config.appUrl)(invitationUid) }
    }),
    sendPasswordLink: withAccounts(({ tx, administrator, params }) =>
      mailPasswordLink(services(), tx, administrator, params.uid),
    ),
    signOutPerson: withAccounts(({ tx, administrator, params, body }) =>
      signOutEverywhere(services(), tx, administrator, params.uid, body.take_off_duty),
    ),
  }
})
