import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Modules that need no other server. The others download lists, or contact a server of wapiti's makers. */
const modules =
  'blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'

/** Informational findings have level 0. */
interface Found {
  level: number
  info: string
  path: string
  parameter: string
  method: string
}

export interface WapitiFind {
  category: string
  info: string
  where: string
}

/**
 * Runs wapiti from these addresses and attacks what it finds, each module for this many seconds. Returns findings above
 * informational level.
 */
export async function runWapiti(base: string, starts: readonly string[], headers: readonly string[], seconds: number) {
  const folder = await mkdtemp(join(tmpdir(), 'evac-wapiti-'))
  const report = join(folder, 'report.json')
  const args = [
    ...['-u', `${base}/`, '--scope', 'folder', '--flush-session', '--no-bugreport', '-m', modules, '-S', 'polite'],
    ...['--max-scan-time', `${seconds}`, '--max-attack-time', `${seconds}`, '-t', '10'],
    ...['--store-session', join(folder, 'session'), '--store-config', join(folder, 'config')],
    ...starts.flatMap((url) => ['-s', url]),
    ...headers.flatMap((header) => ['-H', header]),
    ...['-f', 'json', '-o', report],
  ]
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile('wapiti', args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
      error ? reject(new Error(`wapiti: ${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
    )
    child.stdin?.end()
  })
  const { vulnerabilities, anomalies } = JSON.parse(await readFile(report, 'utf8')) as Record<
    string,
    Record<string, Found[]>
  >
  await rm(folder, { recursive: true })
  const finds: WapitiFind[] = Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([category, found]) =>
    found
      .filter(({ level }) => Number(level) > 0)
      .map(({ info, method, path, parameter }) => ({ category, info, where: `${method} ${path} ${parameter}` })),
  )
  return { finds, output }
}
