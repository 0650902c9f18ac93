import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Effort {
  /** sqlmap's own scales for the number and the boldness of payloads. */
  level: number
  risk: number
  /** Time limit in seconds. */
  seconds: number
  /** Seconds between two requests, for calls with a limit per minute. */
  delay?: number
  /** Answers with this status are compared as others are, where sqlmap would give up. */
  ignoredCode?: number | undefined
}

export interface SqlmapVerdict {
  outcome: 'nothing' | 'stopped' | 'suspected' | 'injectable' | 'unclear'
  requests: number
  output: string
}

/** Runs sqlmap on the marked places of a request. */
export async function runSqlmap(request: string, { level, risk, seconds, delay = 0, ignoredCode }: Effort) {
  const folder = await mkdtemp(join(tmpdir(), 'evac-sqlmap-'))
  const file = join(folder, 'marked')
  await writeFile(file, request)
  const args = [
    ...['-r', file, ...(ignoredCode ? ['--ignore-code', `${ignoredCode}`] : [])],
    ...['--batch', '--ignore-stdin', '--flush-session', '--disable-coloring', '--output-dir', folder, '-v', '3'],
    ...['--dbms', 'PostgreSQL', '--technique', 'BEUSQ', '--time-sec', '2', '--level', `${level}`, '--risk', `${risk}`],
    // a new address for each request, because limits by address are tested elsewhere
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
  // sqlmap tests apparent injections again before it reports them
  if (stopped) return /appears to be .* injectable/.test(output) ? 'suspected' : 'stopped'
  return output.includes('all tested parameters do not appear to be injectable') ? 'nothing' : 'unclear'
}
