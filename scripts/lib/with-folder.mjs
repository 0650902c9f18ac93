import { resolve } from 'node:path'
import { prepareServer } from './install.mjs'
import { main, run, withSettings } from './run.mjs'

/** Options whose next word is theirs. */
const withValue = ['--yes-end']

/** Runs a program of the server on a folder, which is named from where the command was typed; npm itself works in the project. */
export const runWithFolder = (program, ...first) =>
  main(async (args) => {
    const runtime = await prepareServer()
    const from = process.env.INIT_CWD ?? process.cwd()
    const isFolder = (arg, n) => !arg.startsWith('--') && !withValue.includes(args[n - 1])
    const absolute = args.map((arg, n) => (isFolder(arg, n) ? resolve(from, arg) : arg))
    const { code } = await run(runtime.node, withSettings(program, ...first, ...absolute), { env: runtime.env })
    return code
  })
