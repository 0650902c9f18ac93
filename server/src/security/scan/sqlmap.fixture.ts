import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Effort {
  /** How many kinds of payloads, and how bold: as sqlmap counts them. */
  level: number
  risk: number
  /** What is not found by then is not looked for any longer. */
  seconds: number
  /** Between two requests, where the call says how many it takes in a minute. */
  delay?: number
  /** A request that is sent before each: what brings back what the marked one needs. */
  before?: string | undefined
}

export interface SqlmapVerdict {
  outcome: 'nothing' | 'stopped' | 'suspected' | 'injectable' | 'unclear'
  requests: number
  output: string
}

/** Lets sqlmap try the marked places of a request. */
export async function runSqlmap(request: string, { level, risk, seconds, delay = 0, before }: Effort) {
  const folder = await mkdtemp(join(tmpdir(), 'evac-sqlmap-'))
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const args = [
    ...[
      '-r',
      await file('marked', request),
      ...(before ? ['--safe-req', await file('before', before), '--safe-freq', '1'] : []),
    ],
    ...['--batch', '--ignore-stdin', '--flush-session', '--disable-coloring', '--output-dir', folder, '-v', '3'],
    ...['--dbms', 'PostgreSQL', '--technique', 'BEUSQ', '--time-sec', '2', '--level', `${level}`, '--risk', `${risk}`],
    // each request from another address: what one address may do is another question
    ...['--tamper', 'xforwardedfor', '--delay', `${delay}`, '--retries', '0'],
  ]
  const { promise, resolve, reject } = Promise.withResolvers<{ output: string; stopped: boolean }>()
  execFile(
    'sqlmap',
    args,
    { timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 },
    (error, stdout, stderr) =>
      error?.code === 'ENOENT' ? reject(error) : resolve({ output: stdout + stderr, stopped: error?.killed === true }),
  )
  const { output, stopped } = await promise
  await rm(folder, { recursive: true })
  return verdictOf(output, stopped)
}

function verdictOf(output: string, stopped: boolean): SqlmapVerdict {
  const requests = output.match(/\[PAYLOAD\]/g)?.length ?? 0
  return { outcome: outcomeOf(output, stopped), requests, output }
}

function outcomeOf(output: string, stopped: boolean): SqlmapVerdict['outcome'] {
  if (output.includes('identified the following injection point')) return 'injectable'
  // what looks injectable at first is tried again before sqlmap says so
  if (stopped) return /appears to be .* injectable/.test(output) ? 'suspected' : 'stopped'
  return output.includes('all tested parameters do not appear to be injectable') ? 'nothing' : 'unclear'
}
