import { parseArgs } from 'node:util'
import type { Appointing } from '#features/administrators/server/administrators.service.ts'
import {
  allowPlansTo,
  create,
  type InvitationOutcome,
  inviteAdministrator,
  resetFactorOf,
} from '#features/administrators/server/operator.service.ts'
import { discardCopy } from '#features/cells/server/move/discard.service.ts'
import { WholeError } from '#features/cells/server/whole/whole-file.ts'
import { listOrganisations } from '#features/organisation/server/organisations.queries.ts'
import { noteMoved, resume, suspend } from '#features/organisation/server/organisations.service.ts'
import { answersWords } from '../platform/command-line.ts'
import type { Config } from '../platform/config/config.ts'
import { readSafeAddress } from '../platform/config/service-addresses.ts'
import type { Db } from '../platform/db/db.ts'
import { Refusal } from '../platform/errors.ts'
import { loggedError } from '../platform/observability/logged-error.ts'
import { deriveSecrets, loadSecretKey } from '../platform/secrets.ts'
import { fileOfInput, moveTo } from './organisation-move.ts'
import { exportTo, importFrom } from './organisation-whole.ts'
import { isOperatorError, type Migrated, withMigrated } from './with-database.ts'

const usage = `Usage: npm run organisation -- list
       npm run organisation -- create CODE --name NAME --email EMAIL [--first-name NAME] [--last-name NAME]
                               [--country AU|NZ|US|UK] [--timezone ZONE]
       npm run organisation -- invite-administrator CODE EMAIL [--first-name NAME] [--last-name NAME]
       npm run organisation -- reset-second-factor CODE EMAIL
       npm run organisation -- allow-plans CODE EMAIL
       npm run organisation -- suspend CODE [--even-in-event]
       npm run organisation -- resume CODE
       npm run organisation -- move CODE --to ADDRESS --by COMMAND [--passphrase-file FILE]
       npm run organisation -- moved CODE --to ADDRESS
       npm run organisation -- moved CODE --back
       npm run organisation -- export CODE FILE [--passphrase-file FILE]
       npm run organisation -- import-whole FILE [--passphrase-file FILE] [--even-in-event] [--suspended]
       npm run organisation -- discard CODE

  list                  codes and names, people, running events
  create                makes an organisation with floor statuses, event types and roles, and prints a link
                        for its first administrator. The link works once, for 7 days
  invite-administrator  makes someone an administrator of the whole organisation and prints such a link.
                        Someone who is not in the organisation needs a first or a last name
  reset-second-factor   takes an administrator's second factor away and prints a link to set up a new one
  allow-plans           lets an administrator see plans, and tells everyone who may see them
  suspend               prevents sign-ins, ends sessions and stops texts; nothing is deleted.
                        Rejected during an event, unless --even-in-event is given
  resume                ends the suspension
  move                  moves an organisation to the installation at ADDRESS, where COMMAND runs this one (npm run organisation --), for
                        example 'ssh two sudo evac-organisation'. It is read meanwhile, and changes answer 503. Rejected during an
                        event, and given up when one starts. The same command goes on after an interruption
  moved                 sends people who come here to the installation at ADDRESS, where a suspended organisation was brought in. --back
                        takes that back
  export                writes everything of an organisation into a new file while Evac runs: people, events, logs, documents.
                        Rejected while one of its events runs. Second factors come along under a passphrase of 16 letters or
                        more, the first line of --passphrase-file
  import-whole          brings the organisation of such a file in, all of it or nothing, from an installation of the same
                        version. Rejected if it is here already, and while any event runs here, unless --even-in-event is given.
                        - reads the file from the input. --suspended: no one signs in until it is resumed
  discard               deletes an organisation that was brought in and never resumed since; says so if there is none
  --help, --version

Exit code: 0 done, 1 not done, 2 wrong usage.`

async function main(args: string[]): Promise<number> {
  const work = readArguments(args)
  if (!work) return say(usage, 2)
  try {
    return await withMigrated((migrated, config) => work(migrated.system, appointing(config), { migrated, config }))
  } catch (error) {
    const isMeant = [Refusal, WholeError].some((kind) => error instanceof kind) || isOperatorError(error)
    return say(isMeant ? (error as Error).message : `${loggedError(error as Error).stack}`, 1)
  }
}

/** A queued mail is found by the worker's next sweep: the command wakes no one. */
const appointing = (config: Config): Appointing => ({
  config,
  jobs: { enqueue: async () => undefined },
  secrets: deriveSecrets(loadSecretKey(config.secretKey, config.dataDir), config.formerSecretKeys),
  now: new Date(),
})

function say(text: string, code: number): number {
  ;(code === 0 ? console.log : console.error)(text)
  return code
}

type Work = (system: Db, app: Appointing, whole: { migrated: Migrated; config: Config }) => Promise<number>

const text = { type: 'string', default: '' } as const
const options = {
  'even-in-event': { type: 'boolean', default: false },
  name: text,
  email: text,
  'first-name': text,
  'last-name': text,
  country: text,
  timezone: text,
  'passphrase-file': text,
  to: text,
  by: text,
  suspended: { type: 'boolean', default: false },
  back: { type: 'boolean', default: false },
} as const

function readArguments(args: string[]): Work | undefined {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [command = '', code = '', email = '', ...more] = positionals
    if (more.length > 0) return undefined
    const names = { firstName: values['first-name'], lastName: values['last-name'] }
    if (command === 'list' && !code) return sayList
    if (!code) return undefined
    if (command === 'invite-administrator' && email)
      return async (system, app) =>
        sayInvited({ code, email }, await inviteAdministrator(system, app, { code, email, ...names }))
    if (command === 'reset-second-factor' && email) return (system, app) => sayReset(system, app, { code, email })
    if (command === 'allow-plans' && email) return (system, app) => sayAllowed(system, app, { code, email })
    const passphraseFile = values['passphrase-file']
    if (command === 'export' && email)
      return async (_system, _app, { migrated, config }) =>
        say(await exportTo(migrated, config, code, { path: email, passphraseFile }), 0)
    if (email) return undefined
    if (command === 'import-whole') {
      const how = { passphraseFile, evenInEvent: values['even-in-event'], suspended: values.suspended }
      return async (_system, _app, { migrated, config }) => {
        const bring = (path: string) => importFrom(migrated, config, { ...how, path })
        return say(await (code === '-' ? fileOfInput(bring) : bring(code)), 0)
      }
    }
    if (command === 'move' && values.to && values.by) {
      const { to, by } = values
      return async (_system, _app, { migrated, config }) =>
        say(await moveTo(migrated, config, { code, to, by, passphraseFile }), 0)
    }
    if (command === 'discard')
      return async (_system, _app, { migrated }) =>
        say((await discardCopy(migrated.connection, code)) ? `${code} is deleted here.` : `${code} is not here.`, 0)
    if (command === 'create') {
      const { name, country, timezone } = values
      const asked = { code, email: values.email }
      return async (system, app) =>
        sayInvited(asked, await create(system, app, { ...asked, name, country, timezone, ...names }))
    }
    if (command === 'suspend') return (system) => saySuspended(system, code, values['even-in-event'])
    if (command === 'resume') return (system) => sayResumed(system, code)
    if (command === 'moved' && values.back !== (values.to !== ''))
      return (system, { config }) => sayMoved(system, config, code, values.back ? null : values.to)
  } catch (error) {
    console.error((error as Error).message)
  }
  return undefined
}

async function sayList(system: Db): Promise<number> {
  const lines = (await listOrganisations(system)).map(({ code, name, active, movedTo, people, events }) => {
    const state = movedTo === null ? 'suspended' : `moved to ${movedTo}`
    return [code, name, `${people} people`, ...(events ? [`${events} running`] : []), ...(active ? [] : [state])].join(
      ', ',
    )
  })
  return say(lines.join('\n') || 'There is no organisation.', 0)
}

interface Asked {
  code: string
  email: string
}

const notDone = {
  unknown_organisation: ({ code }: Asked) => `No organisation has the code '${code}'.`,
  unknown_person: ({ code, email }: Asked) =>
    `No one active in ${code} has the address ${email}. For someone new, add --first-name, --last-name or both.`,
  two_people: ({ code, email }: Asked) => `Two people of ${code} have the address ${email}: give one of them another.`,
}

function sayInvited(asked: Asked, invited: InvitationOutcome): number {
  if (invited.outcome === 'invited')
    return say(
      `${asked.email} is an administrator of ${asked.code}. The link works once, for 7 days:\n${invited.link}`,
      0,
    )
  if (invited.outcome === 'has_password')
    return say(`${asked.email} is an administrator of ${asked.code} and signs in with their password.`, 0)
  return say(notDone[invited.outcome](asked), 1)
}

async function sayReset(system: Db, app: Appointing, asked: Asked): Promise<number> {
  const reset = await resetFactorOf(system, app, asked)
  if (reset.outcome === 'has_password') return say(`${asked.email} has a second factor.`, 1)
  if (reset.outcome !== 'invited') return say(notDone[reset.outcome](asked), 1)
  return say(
    `${asked.email} sets up a new second factor with this link and their password. It works once, for 7 days:\n${reset.link}`,
    0,
  )
}

async function sayAllowed(system: Db, app: Appointing, asked: Asked): Promise<number> {
  const allowed = await allowPlansTo(system, app, asked)
  if (allowed.outcome === 'no_grant') return say(`${asked.email} is no administrator of ${asked.code}.`, 1)
  const done = `${asked.email} may see the plans of ${asked.code}. Everyone who may see them is told.`
  if (allowed.outcome === 'has_password') return say(done, 0)
  if (allowed.outcome === 'invited')
    return say(`${done}\nThey set their password by this link first. It works once, for 7 days:\n${allowed.link}`, 0)
  return say(notDone[allowed.outcome](asked), 1)
}

async function saySuspended(system: Db, code: string, evenInEvent: boolean): Promise<number> {
  const outcome = await suspend(system, code, { evenInEvent })
  if (outcome === 'unknown') return say(`No organisation has the code '${code}'.`, 1)
  if (outcome === 'event')
    return say(`${code} has a running event: nothing was changed. To suspend it anyway, add --even-in-event.`, 1)
  return say(`${code} is suspended.`, 0)
}

async function sayResumed(system: Db, code: string): Promise<number> {
  const outcome = await resume(system, code)
  if (outcome === 'moved') return say(`${code} has moved: it would go on twice. See: moved ${code} --back`, 1)
  return outcome === 'done'
    ? say(`${code} is no longer suspended.`, 0)
    : say(`No organisation has the code '${code}'.`, 1)
}

async function sayMoved(
  system: Db,
  { appUrl }: Appointing['config'],
  code: string,
  to: string | null,
): Promise<number> {
  const address = to === null ? null : readSafeAddress('--to', to)
  if (address === appUrl) return say(`${appUrl} is this installation: name the one that ${code} has moved to.`, 1)
  const outcome = await noteMoved(system, code, address)
  if (outcome === 'unknown') return say(`No organisation has the code '${code}'.`, 1)
  if (outcome === 'active') return say(`${code} is in use here: nothing was changed. Suspend it first.`, 1)
  if (outcome === 'event') return say(`${code} has a running event: nothing was changed.`, 1)
  return say(
    address === null
      ? `${code} is at home here. It is suspended: resume ${code}`
      : `${code} has moved: people who come here are sent to ${address}.`,
    0,
  )
}

const words = process.argv.slice(2)
process.exitCode = answersWords(words, usage) ? 0 : await main(words)
