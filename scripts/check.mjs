import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { npm } from './lib/npm.mjs'
import { at, main, run } from './lib/run.mjs'

/** Type information is stored between runs, so that tsc checks changes only. */
const types = (room) => {
  const memory = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/tsc/${room}.tsbuildinfo`]
  return { name: `types of ${room}`, program: 'tsc', args: ['--noEmit', '-p', room, ...memory] }
}

const rooms = ['kernel', 'features', 'server', 'web', 'e2e', 'bench', 'faults', 'rig']

const checks = [
  { name: 'lock file', program: 'npm', args: ['ci', '--dry-run', '--offline', '--ignore-scripts'] },
  { name: 'format and lint', program: 'biome', args: ['ci', '--colors=off'] },
  ...['kernel', 'server', 'web', 'e2e', 'bench', 'faults', 'rig'].map(types),
  { name: 'doors', program: 'depcruise', args: rooms },
  { name: 'structure', program: 'node', args: ['scripts/checks/structure.mjs'] },
  { name: 'table of authority', program: 'node', args: ['scripts/checks/authority.mjs'] },
  { name: 'documents', program: 'node', args: ['scripts/checks/documents.mjs'] },
  { name: 'unused code', program: 'knip', args: ['--no-progress'] },
  {
    name: 'code for tests alone',
    program: 'knip',
    args: ['--no-progress', '--production', '--include', 'exports,files'],
  },
  { name: 'first-load size', program: 'size-limit', args: [], before: buildWeb },
  { name: 'rules', program: 'node', args: ['scripts/checks/coverage.mjs'], shows: true },
]

await main(async () => {
  const runtime = await prepare()
  const waiting = [...checks]
  const results = []
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await perform(check, runtime))
  }
  await Promise.all([worker(), worker()]) // the project's machines have two cores
  for (const { name, output, code, shows } of results) {
    if (code !== 0 || shows) console.log(`\n${name}:\n${output.trim()}`)
  }
  return results.some(({ code }) => code !== 0) ? 1 : 0
})

async function perform(check, runtime) {
  const start = Date.now()
  const result = await attempt(check, runtime)
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  console.log(`${result.code === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${check.name}`)
  return { ...check, ...result }
}

async function attempt({ program, args, before }, runtime) {
  try {
    await before?.(runtime)
    if (program === 'npm') return await npm(runtime, args)
    const command = program === 'node' ? runtime.node : at('node_modules/.bin', program)
    return await run(command, args, { quiet: true, env: runtime.env })
  } catch (error) {
    return { code: 1, output: error.message }
  }
}
