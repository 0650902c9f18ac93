import { resolve } from 'node:path'
import { runServerCommand } from './server-command.mjs'

/** Options whose value is the next word. */
const withValue = ['--yes-end', '--keep']

/**
 * Runs a program of the server on a folder. A relative folder starts at the folder where the command was typed: npm
 * changes to the project's.
 */
export const runWithFolder = (program, ...first) =>
  runServerCommand(program, (args) => {
    const from = process.env.INIT_CWD ?? process.cwd()
    const isFolder = (arg, n) => !arg.startsWith('--') && !withValue.includes(args[n - 1])
    return [...first, ...args.map((arg, n) => (isFolder(arg, n) ? resolve(from, arg) : arg))]
  })
