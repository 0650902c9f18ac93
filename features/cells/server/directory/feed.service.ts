import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { CallOut } from '#server/platform/outgoing.ts'
import { listMarks, listNames } from './feed.queries.ts'
import { type CellKeys, cellKeysOf, hashName } from './names.ts'

const Wanted = Type.Object({ wanted: Type.Array(Type.String({ pattern: '^[0-9a-f]{2}$' })) })

interface Feeding {
  system: Db
  callOut: CallOut
  directory: NonNullable<Config['directory']>
}

/**
 * Tells the directory the names that people sign in with here, as hashes. It says which lists it lacks, so that a round that was cut
 * short, or a directory that was restarted, is made good by the next one. Throws if it does not answer.
 */
export async function feedDirectory({ system, callOut, directory }: Feeding): Promise<void> {
  const keys = cellKeysOf(directory.nameKey)
  const tell = async (path: string, body: object): Promise<unknown> => {
    const answer = await callOut({
      url: `${directory.url}${path}`,
      setBy: 'operator',
      method: 'POST',
      headers: { authorization: `Bearer ${directory.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`The directory answered with HTTP ${answer.status}.`)
    return JSON.parse(answer.body.toString())
  }
  // a sum over names that are few could be guessed
  const marks = Object.fromEntries(
    (await listMarks(system)).map(({ list, mark }) => [list, hashName(keys, 'mark', mark)]),
  )
  const { wanted } = Value.Parse(Wanted, await tell('/lists', { marks }))
  for (const list of wanted) {
    const names = (await listNames(system, list)).flatMap((account) => hashesOf(keys, account))
    await tell('/list', { list, mark: marks[list], names })
  }
}

function hashesOf(
  keys: CellKeys,
  { email, username, mobile }: Awaited<ReturnType<typeof listNames>>[number],
): string[] {
  const logins = [email, username].filter((name) => name !== null)
  return [
    ...logins.map((name) => hashName(keys, 'login', name)),
    ...(mobile === null ? [] : [hashName(keys, 'mobile', mobile)]),
  ]
}
