import { run, Trouble } from './run.mjs'

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/

/** npm under the given Node: it chooses releases by the Node that it runs on. */
export async function npm({ node, env }, args) {
  const cli = process.env.npm_execpath
  const [command, ...first] = cli?.endsWith('npm-cli.js') ? [node, cli] : ['npm']
  const settings = { ...env, npm_config_globalconfig: await machineSettings() }
  return run(command, [...first, ...args, '--no-fund', '--no-audit'], { env: settings, quiet: true })
}

/** npm looks for the machine's settings (registry, certificates) beside its Node, and would miss them under another one. */
async function machineSettings() {
  const known = process.env.npm_config_globalconfig
  return (
    known ?? (await run('npm', ['config', 'get', 'globalconfig', '--loglevel=silent'], { quiet: true })).output.trim()
  )
}

/** What npm cannot do ends the work with a sentence. */
export async function npmOrStop(runtime, args) {
  const { code, output } = await npm(runtime, args)
  if (code !== 0) stopWith(args[0], output)
}

/** Ends the work with what npm said, and what to do about it. */
export function stopWith(command, output) {
  console.error(output.trim())
  if (!unreachable.test(output)) throw new Trouble(`npm ${command} failed: what it said stands above.`)
  throw new Trouble(
    'The npm registry cannot be reached: check the network and `npm config get registry`, then run this again.',
  )
}
