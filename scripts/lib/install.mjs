import { existsSync, readFileSync } from 'node:fs'
import { bringNode } from './node-runtime.mjs'
import { npm, npmOrStop, stopWith } from './npm.mjs'
import { step } from './progress.mjs'
import { at } from './run.mjs'

/** No package needs an install script. The web app is built with development packages, whatever NODE_ENV is. */
const flags = ['--ignore-scripts', '--include=dev', '--include=optional']

/** Provides what every command needs: Node 24 and the packages of the lock file. */
export async function prepare() {
  const runtime = await bringNode()
  if (!isInstalled()) await step('Installing packages', () => install(runtime))
  return runtime
}

/** The same for a command of the server. It needs only the server's packages (docs/operations/debian.md). */
export async function prepareServer() {
  return hasServerPackages() ? bringNode() : prepare()
}

/** `npm install` is the fallback if `npm ci` rejects a lock file that lacks packages of other systems. */
async function install(runtime) {
  const { code, output } = await npm(runtime, ['ci', ...flags])
  if (code === 0) return
  if (!output.includes('in sync')) stopWith('ci', output)
  await npmOrStop(runtime, ['install', '--no-save', ...flags])
}

/** True if npm has installed the versions of the lock file. */
function isInstalled() {
  if (!existsSync(at('node_modules/.package-lock.json'))) return false
  return hasAll(packagesOf('package-lock.json'), packagesOf('node_modules/.package-lock.json'))
}

/**
 * `wanted` and `installed` are `packages` of the two lock files. `npm ci` under an old Node omits native packages of
 * this machine.
 */
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

/** True if every package that the server names is installed, and none in another version than the lock file's. */
function hasServerPackages() {
  if (!existsSync(at('node_modules/.package-lock.json'))) return false
  const installed = packagesOf('node_modules/.package-lock.json')
  const wanted = packagesOf('package-lock.json')
  return (
    Object.keys(wanted[''].dependencies).every((name) => installed[`node_modules/${name}`]) &&
    Object.entries(installed).every(([path, { version }]) => version === wanted[path]?.version)
  )
}

function packagesOf(file) {
  return JSON.parse(readFileSync(at(file), 'utf8')).packages
}
