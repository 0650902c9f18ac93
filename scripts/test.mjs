import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './lib/build-web.mjs'
import { findChromium } from './lib/chromium.mjs'
import { prepare } from './lib/install.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

const tool = (name) => at('node_modules/.bin', name)

const parts = {
  check: ({ node }) => [node, 'scripts/check.mjs'],
  server: ({ report }) => vitest('server', report),
  web: ({ report }) => vitest('web', report),
  e2e: () => [tool('playwright'), 'test', '-c', 'e2e', '--reporter=list,json'],
}

/** Each test file clones a database. In memory the part `server` takes three quarters of the processor time. */
const memory = '/dev/shm'

function hasMemory() {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 2 ** 30
}

function vitest(project, report) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return [tool('vitest'), 'run', '--project', project, ...reporters]
}

/** `npm test` runs all parts, `npm test -- web login` one part, its further words going to the part's own tool. */
await main(async ([only, ...words]) => {
  if (only && !(only in parts)) throw new Trouble(`There is no part "${only}": use ${Object.keys(parts).join(', ')}.`)
  const runtime = await prepare()
  const chromium = only === 'check' || only === 'server' ? '' : await findChromium(runtime)
  const env = { ...runtime.env, ...(chromium && { CHROME_PATH: chromium }) }
  const reports = mkdtempSync(join(tmpdir(), 'evac-test-'))
  try {
    return await runParts(only ? [only] : Object.keys(parts), words, { ...runtime, env, reports })
  } finally {
    rmSync(reports, { recursive: true })
  }
})

/** Stops at the first part that fails. The last line counts the tests of all parts that ran. */
async function runParts(names, words, context) {
  const total = { passed: 0, failed: 0 }
  for (const name of names) {
    const { code, passed, failed } = await runPart(name, words, context)
    total.passed += passed
    total.failed += code !== 0 && failed === 0 ? 1 : failed // a check, or a file that could not be read
    if (code !== 0) console.log(`The part "${name}" failed.`)
    if (code !== 0) break
  }
  console.log(`${total.passed} passed, ${total.failed} failed`)
  return total.failed > 0 ? 1 : 0
}

async function runPart(name, words, context) {
  const start = Date.now()
  const report = join(context.reports, `${name}.json`)
  if (name === 'e2e') await buildWeb(context)
  const [command, ...args] = parts[name]({ ...context, report })
  const inMemory = name === 'server' && hasMemory() && { TMPDIR: memory }
  const env = { ...context.env, ...inMemory, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  console.log(`\n${name}`)
  const { code } = await run(command, [...args, ...words], { env })
  console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`)
  return { code, ...countTests(report) }
}

function countTests(report) {
  if (!existsSync(report)) return { passed: 0, failed: 0 }
  const { stats, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  if (!stats) return { passed: numPassedTests, failed: numFailedTests }
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
}
