import type { NamedCall } from '../../testing/contract-calls.ts'
import { consoleCalls } from '../authorisation/ask.fixture.ts'
import type { CallInputs, Uids } from '../authorisation/call-inputs.fixture.ts'

/** Reads the console as the asker of the call. */
type Read = (call: NamedCall, input: CallInputs) => Promise<unknown>
type Fields = Record<string, unknown>

/** Where a form reads what it sends back: the version (ORG-33), or all rows in their order. */
const readFrom: Record<string, string> = {
  changePerson: 'getPerson',
  mergePeople: 'getPerson',
  changeGroup: 'getGroup',
  changePlace: 'listPlaces',
  changeRole: 'listRoles',
  changeAssignment: 'listAssignments',
  saveSettings: 'getSettings',
  saveReaching: 'getReaching',
  endPlan: 'getPlan',
  ...{
    changeFloorStatus: 'listFloorStatuses',
    changeEventType: 'listEventTypes',
    orderFloorStatuses: 'listFloorStatuses',
  },
  changeTemplate: 'listTemplateRows',
  changeDocument: 'listDocumentRows',
}

/** Calls whose person must still be there, and not have left as in the matrix. */
const ofSomebodyActive = ['changePerson', 'deactivatePerson', 'invitePerson', 'showInvitation', 'sendPasswordLink']

/** The ids with which a call is read furthest. */
export const ownFor = (name: string, own: Uids): Uids =>
  ofSomebodyActive.includes(name) ? { ...own, anybody: own.colleague as string } : own

/** The input as a form sends it: with the versions of its rows, and what the matrix leaves empty. The call reads on behind them. */
export async function asFormSends(name: string, input: CallInputs, own: Uids, read: Read): Promise<CallInputs> {
  const from = consoleCalls.find((call) => call.name === readFrom[name])
  if (!from) return input
  const body = input.body as Fields
  const [named = ''] = Object.values(input.params ?? {}) as string[]
  const readOf = (uid: string) =>
    read(from, {
      ...(from.params && { params: { [from.path.split(':')[1] as string]: uid } }),
      query: from.name === 'listPlaces' ? { site: own.ownSite } : {},
    })
  const versionOf = async (uid: string) => findVersion(await readOf(uid), uid)
  if (name === 'orderFloorStatuses') {
    const { rows } = (await readOf('')) as { rows: { uid: string }[] }
    return { ...input, body: { uids: rows.map(({ uid }) => uid) } }
  }
  if (name === 'mergePeople') {
    const [stays_version, goes_version] = [await versionOf(body.stays as string), await versionOf(body.goes as string)]
    return { ...input, body: { ...body, stays_version, goes_version } }
  }
  const rest: Fields =
    name === 'changeAssignment'
      ? { places: [own.ownFloor] }
      : name === 'changeDocument'
        ? { site: own.ownSite, role: own.ownRole, person: own.planned }
        : {}
  return { ...input, body: { ...body, ...rest, version: await versionOf(named) } }
}

/** The version beside the uid, or of what has none. */
function findVersion(value: unknown, uid: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { uid: own = uid, version } = value as { uid?: string; version?: string }
  if (version !== undefined && own === uid) return version
  return Object.values(value)
    .map((inside) => findVersion(inside, uid))
    .find((found) => found !== undefined)
}
