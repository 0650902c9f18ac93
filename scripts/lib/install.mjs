import { existsSync, readFileSync } from 'node:fs'
import { bringNode } from './node-runtime.mjs'
import { npm, npmOrStop, stopWith } from './npm.mjs'
import { step } from './progress.mjs'
import { at } from './run.mjs'

/** Nothing here needs an install script, and development packages build the web app whatever NODE_ENV says. */
const flags = ['--ignore-scripts', '--include=dev', '--include=optional']

/** What every command needs first: the right Node and the packages of the lock file. */
export async function prepare() {
  const runtime = await bringNode()
  if (!isInstalled()) await step('Installing packages', () => install(runtime))
  return runtime
}

/** The same for a command of the server, which works where only the server's packages are left (docs/operations/debian.md). */
export async function prepareServer() {
  return hasServerPackages() ? bringNode() : prepare()
}

/** A lock file written from an incomplete registry lacks packages of other systems: `npm ci` refuses it, `npm install` copes. */
async function install(runtime) {
  const { code, output } = await npm(runtime, ['ci', ...flags])
  if (code === 0) return
  if (!output.includes('in sync')) stopWith('ci', output)
  await npmOrStop(runtime, ['install', '--no-save', ...flags])
}

/** npm notes what it installed; the same versions as in the lock file mean that there is nothing to do. */
function isInstalled() {
  if (!existsSync(at('node_modules/.package-lock.json'))) return false
  return hasAll(packagesOf('package-lock.json'), packagesOf('node_modules/.package-lock.json'))
}

/** `wanted` and `installed`: `packages` of the two lock files. An `npm ci` under an old Node leaves out native parts that this machine needs. */
export function hasAll(wanted, installed) {
  return Object.entries(wanted).every(([path, { version, optional, os, cpu, libc = [own.libc] }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const isForThisMachine = os?.includes(own.os) && cpu?.includes(own.cpu) && libc.includes(own.libc)
    return installed[path] ? installed[path].version === version : optional === true && !isForThisMachine
  })
}

const own = {
  os: process.platform,
  cpu: process.arch,
  libc: process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl',
}

/** All that the server names is there, and nothing is there in another version than the lock file's. */
function hasServerPackages() {
  if (!existsSync(at('node_modules/.package-lock.json'))) return false
  const installed = packagesOf('node_modules/.package-lock.json')
  const wanted = packagesOf('package-lock.json')
  return (
    Object.keys(wanted.server.dependencies).every(
      (name) => installed[`node_modules/${name}`] ?? installed[`server/node_modules/${name}`],
    ) && Object.entries(installed).every(([path, { version }]) => version === wanted[path]?.version)
  )
}

function packagesOf(file) {
  return JSON.parse(readFileSync(at(file), 'utf8')).packages
}
