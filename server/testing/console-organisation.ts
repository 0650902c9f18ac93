import type { SiteUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator, givenGroup } from './administrators.ts'
import type { TestServer } from './test-server.ts'

/** An organisation with an administrator of everything, one of its site and one of a group, all signed in. */
export async function givenConsole(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind' })
  const call = await asAdministrator(server, admin)
  const ofSite = async (siteUid: SiteUid = org.siteUid) =>
    asAdministrator(server, await givenAdministrator(server, org, { reach: 'site', siteUid }))
  const ofGroup = async (members: Parameters<typeof givenGroup>[2]) => {
    const groupUid = await givenGroup(server, org, members)
    return asAdministrator(server, await givenAdministrator(server, org, { reach: 'group', groupUid }))
  }
  return { org, admin, call, ofSite, ofGroup }
}
