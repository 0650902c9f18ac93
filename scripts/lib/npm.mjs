import { run, Trouble } from './run.mjs'

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/

/** Runs npm under the given Node, because npm chooses packages for the Node it runs on. */
export async function npm({ node, env }, args) {
  const cli = process.env.npm_execpath
  const [command, ...first] = cli?.endsWith('npm-cli.js') ? [node, cli] : ['npm']
  const settings = { ...env, npm_config_globalconfig: await machineSettings() }
  return run(command, [...first, ...args, '--no-fund', '--no-audit'], { env: settings, quiet: true })
}

/**
 * npm looks for the machine's settings (registry, certificates) beside its Node. Under another Node it would not find
 * them.
 */
async function machineSettings() {
  const known = process.env.npm_config_globalconfig
  return (
    known ?? (await run('npm', ['config', 'get', 'globalconfig', '--loglevel=silent'], { quiet: true })).output.trim()
  )
}

/** Runs npm. If it fails, throws a sentence. */
export async function npmOrStop(runtime, args) {
  const { code, output } = await npm(runtime, args)
  if (code !== 0) stopWith(args[0], output)
}

/** Prints npm's output and throws what to do about it. */
export function stopWith(command, output) {
  console.error(output.trim())
  if (!unreachable.test(output)) throw new Trouble(`npm ${command} failed: its output is above.`)
  throw new Trouble(
    'The npm registry cannot be reached: check the network and `npm config get registry`, then run this again.',
  )
}
