import { setTimeout as delay } from 'node:timers/promises'

const faults: string[] = []

/** Says how a step went. What is wrong is told at the end, too. */
export function expectThat(what: string, isSo: boolean, found?: unknown): void {
  console.log(`${isSo ? 'ok    ' : 'FAILED'} ${what}`)
  if (!isSo) faults.push(`${what}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`)
}

/** The answer of `look` once it is one, or the last one after a minute. */
export async function until<T>(look: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
  for (const end = Date.now() + 60_000; ; await delay(500)) {
    const found = await look()
    if (isSo(found) || Date.now() > end) return found
  }
}

/** Prints what went wrong. The exit code of the run. */
export function verdict(): number {
  for (const fault of faults) console.error(`FAILED ${fault}`)
  console.log(faults.length === 0 ? 'Nothing went wrong.' : `${faults.length} steps went wrong.`)
  return faults.length === 0 ? 0 : 1
}

let strangers = 0

/** Status and body of a request as a stranger sends it, from a network of their own: limits are another test's matter. */
export async function post(url: string, path: string, body: object) {
  const since = performance.now()
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${++strangers >> 8}.${strangers & 255}.9` },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
    ms: performance.now() - since,
  }
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
