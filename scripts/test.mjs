import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './lib/build-web.mjs'
import { partsOf } from './lib/changed.mjs'
import { findChromium } from './lib/chromium.mjs'
import { prepare } from './lib/install.mjs'
import { inMemory } from './lib/memory.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

const tool = (name) => at('node_modules/.bin', name)

const parts = {
  check: ({ node }) => [node, 'scripts/check.mjs'],
  server: (context) => vitest('server', context),
  web: (context) => vitest('web', context),
  e2e: playwright,
}

/**
 * Parts some of whose tests are long by nature: kills, restores, two nodes, processes of their own, hundreds of hostile texts,
 * each screen in every size. They run apart, and by name.
 */
const withLong = ['server', 'e2e']

/** Each test file clones a database, each browser worker makes one. */
const usesDatabases = ['server', 'e2e']

/** Tests start the product and its commands a hundred times. Node keeps what it compiled, which halves a start. */
const compiled = at('node_modules/.cache/node')

/** Words name files, of which all tests run. */
function vitest(project, { report, isRelated, isLong, words }) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const command = isRelated ? ['related', '--run', '--passWithNoTests'] : ['run']
  const filter = withLong.includes(project) && words.length === 0 ? [`--tagsFilter=${isLong ? 'long' : '!long'}`] : []
  return [tool('vitest'), ...command, '--project', project, ...filter, ...reporters]
}

function playwright({ isLong, words }) {
  const filter = words.length > 0 ? [] : [isLong ? '--grep' : '--grep-invert', '@long']
  return [tool('playwright'), 'test', '-c', 'e2e', '--reporter=list,json', ...filter]
}

/**
 * `npm test` runs all parts, `npm test -- web login` one, its further words going to the part's own tool. `npm test -- long`
 * runs what is long by nature. `npm test -- changed` runs what uncommitted changes can touch, `npm test -- changed main`
 * what a branch can.
 */
await main(async ([only, ...words]) => {
  const isRelated = only === 'changed'
  const isLong = only === 'long'
  if (only && !isRelated && !isLong && !(only in parts))
    throw new Trouble(`There is no part "${only}": use ${[...Object.keys(parts), 'changed', 'long'].join(', ')}.`)
  const runtime = await prepare()
  const chromium = ['check', 'server'].includes(only) ? '' : await findChromium(runtime)
  const env = { ...runtime.env, NODE_COMPILE_CACHE: compiled, ...(chromium && { CHROME_PATH: chromium }) }
  const reports = mkdtempSync(join(tmpdir(), 'evac-test-'))
  try {
    const context = { ...runtime, env, reports, isRelated, isLong }
    if (isRelated) return await runParts(partsOf(await listChanges(words[0])), context)
    const names = isLong ? withLong : only ? [only] : Object.keys(parts)
    return await runParts(Object.fromEntries(names.map((name) => [name, words])), context)
  } finally {
    rmSync(reports, { recursive: true })
  }
})

/** Files that differ from a commit (the last one unless said otherwise), new ones too. */
async function listChanges(since = 'HEAD') {
  const base = await git('merge-base', since, 'HEAD')
  const outputs = [await git('diff', '--name-only', base), await git('ls-files', '--others', '--exclude-standard')]
  return outputs.flatMap((output) => output.split('\n')).filter(Boolean)
}

async function git(...args) {
  const { code, output } = await run('git', args, { quiet: true })
  if (code !== 0) throw new Trouble(`git ${args.join(' ')}: ${output.trim()}`)
  return output.trim()
}

/**
 * `wordsOf` gives each part the words for its own tool, or 'all'. Stops at the first part that fails. The last line counts
 * the tests of all parts that ran.
 */
async function runParts(wordsOf, context) {
  const total = { passed: 0, failed: 0 }
  for (const [name, words] of Object.entries(wordsOf)) {
    const all = words === 'all'
    const { code, passed, failed } = await runPart(name, all ? [] : words, {
      ...context,
      isRelated: context.isRelated && !all,
    })
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
  const [command, ...args] = parts[name]({ ...context, report, words })
  const env = { ...context.env, ...(usesDatabases.includes(name) && inMemory()), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
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
