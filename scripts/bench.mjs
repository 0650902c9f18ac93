import { existsSync, readFileSync } from 'node:fs'
import { buildWeb } from './lib/build-web.mjs'
import { findChromium } from './lib/chromium.mjs'
import { prepare } from './lib/install.mjs'
import { npmOrStop } from './lib/npm.mjs'
import { step } from './lib/progress.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

/** BENCH_QUICK=1 only shows that every part works. Its figures mean nothing. */
const quick = {
  BENCH_CHANGES: '10',
  BENCH_ROUNDS: '2',
  BENCH_SECONDS: '1',
  BENCH_EVACUEES: '20000',
  BENCH_WARDENS: '2000',
  BENCH_SOCKETS: '2000,1000',
  BENCH_RETURNING: '500',
  BENCH_AWAY: '12',
  BENCH_VISITS: '1',
  BENCH_TEXTS: '2000',
  BENCH_TRIES: '60',
  BENCH_STARTS: '1',
  BENCH_FRAMES: '5',
  BENCH_LISTENERS: '1000',
  BENCH_LISTENING_SECONDS: '5',
}

await main(async (parts) => {
  const runtime = await prepare()
  const wants = (part) => parts.length === 0 || parts.includes(part)
  const env = { ...(process.env.BENCH_QUICK === '1' && quick), ...runtime.env }
  await buildWeb(runtime)
  if (wants('first-load')) {
    await buildHello(runtime)
    await installApart(runtime, 'bench/visits', 'what measures first visits')
  }
  if (['first-load', 'scroll', 'sheet', 'board'].some(wants)) env.CHROME_PATH = await findChromium(runtime)
  if (wants('peers')) await installApart(runtime, 'bench/peers', 'the baseline of the part peers')
  const { code } = await run(runtime.node, ['bench/run.ts', ...parts], { env })
  return code
})

/** Builds the baseline of first visits. */
async function buildHello(runtime) {
  const vite = [
    at('node_modules/vite/bin/vite.js'),
    'build',
    '--base',
    '/hello/',
    '--outDir',
    '../out/hello',
    '--emptyOutDir',
  ]
  const { code, output } = await run(runtime.node, vite, { cwd: at('bench/hello'), env: runtime.env, quiet: true })
  if (code !== 0) throw new Trouble(output.trim())
}

/** Installs packages that only one part needs, outside the packages of the repository. */
async function installApart(runtime, name, what) {
  const folder = at(name)
  const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const isThere = ([name, version]) => {
    const file = `${folder}/node_modules/${name}/package.json`
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  }
  if (Object.entries(dependencies).every(isThere)) return
  const flags = ['--prefix', folder, '--ignore-scripts', '--no-package-lock']
  await step(`Installing ${what}`, () => npmOrStop(runtime, ['install', ...flags]))
}
