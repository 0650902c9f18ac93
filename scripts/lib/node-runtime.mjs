import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { npmOrStop } from './npm.mjs'
import { step } from './progress.mjs'
import { at, run, Trouble } from './run.mjs'

const wanted = '24.21.0'

/**
 * Node 24 runs TypeScript directly. If the machine's Node is older, Node 24 is downloaded from npm into .runtime once.
 */
export async function bringNode() {
  if (major(process.version) >= 24) return runtimeAt(process.execPath)
  const node = at('.runtime/node_modules/.bin/node')
  if (!(await isNode24(node))) await step(`Downloading Node ${wanted} (once, about 190 MB)`, () => fetchNode(node))
  return runtimeAt(node)
}

async function fetchNode(node) {
  mkdirSync(at('.runtime'), { recursive: true })
  writeFileSync(at('.runtime/package.json'), '{ "private": true }\n') // without this file npm would install into the project above
  await npmOrStop(runtimeAt(process.execPath), [
    'install',
    '--prefix',
    at('.runtime'),
    '--save-exact',
    platformPackage(),
  ])
  if (await isNode24(node)) return
  throw new Trouble('Node 24 is needed and the one from npm does not run here: install it from https://nodejs.org.')
}

/** The package `node` installs one of these by a script, and npm may be configured to run no scripts. */
function platformPackage() {
  const { platform, arch } = process
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${name}-${platform}-${arch}@${wanted}`
}

async function isNode24(node) {
  const answer = await run(node, ['--version'], { quiet: true }).catch(() => undefined)
  return answer?.code === 0 && major(answer.output) === 24
}

/** `env` puts this Node first in PATH. */
function runtimeAt(node) {
  return { node, env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH } }
}

function major(version) {
  return Number.parseInt(version.replace('v', ''), 10)
}
