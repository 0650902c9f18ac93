import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Cells } from '#server/http/services.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { CallOut } from '#server/platform/outgoing.ts'
import { openAnswer, openQuestion, sealAnswer, sealQuestion } from './messages.ts'
import { cellKeysOf, hashName, hashOfKey } from './names.ts'

const mostCells = 3
const usualPatienceMs = 2_000
/** Where cells answer each other. */
const questionsPath = '/api/cells/questions'

const Found = Type.Object({ cells: Type.Array(Type.String({ pattern: '^https?://[^/?#@]+$' })) })
const Sealed = Type.Object({ sealed: Type.String() })

interface Opening {
  config: Pick<Config, 'directory' | 'appUrl'>
  callOut: CallOut
  clock: Clock
  patienceMs?: number
}

/** Undefined for an installation that has no directory. */
export function openCells({ config, callOut, clock, patienceMs = usualPatienceMs }: Opening): Cells | undefined {
  const { directory, appUrl } = config
  if (!directory) return undefined
  const keys = cellKeysOf(directory.nameKey)
  const post = async <T extends TSchema>(url: string, body: object, reply: T, authorization?: string) => {
    const answer = await callOut({
      url,
      setBy: 'operator',
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify(body),
      limits: { headersMs: patienceMs },
    })
    const { host } = new URL(url)
    if (answer.status === 401)
      throw new Error(
        `DIRECTORY_KEY is not known there: add '${appUrl} ${hashOfKey(directory.key)}' to its DIRECTORY_CELLS`,
      )
    if (answer.status !== 200) throw new Error(`${host} answered with HTTP ${answer.status}`)
    return Value.Parse(reply, JSON.parse(answer.body.toString()))
  }
  const find: Cells['find'] = async (kind, name) => {
    const asked = { name: hashName(keys, kind, name) }
    const { cells } = await post(`${directory.url}/find`, asked, Found, `Bearer ${directory.key}`)
    return cells.filter((cell) => cell !== appUrl).slice(0, mostCells)
  }
  return {
    patienceMs,
    find,
    ask: async (address, asked, answer) => {
      const question = sealQuestion(keys, address, asked, clock.now())
      const { sealed } = await post(`${address}${questionsPath}`, { sealed: question }, Sealed)
      return Value.Parse(answer, openAnswer(keys, question, sealed))
    },
    read: (body) => (Value.Check(Sealed, body) ? openQuestion(keys, appUrl, body.sealed, clock.now()) : undefined),
    answer: (question, answer) => sealAnswer(keys, question, answer),
    check: async () => void (await find('login', '')),
  }
}
