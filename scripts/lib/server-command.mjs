import { prepareServer } from './install.mjs'
import { main, run, withSettings } from './run.mjs'

/**
 * Runs a program of `server/commands/` with the settings of the project. `wordsOf` turns what was typed into its
 * arguments.
 */
export const runServerCommand = (program, wordsOf = (args) => args) =>
  main(async (args) => {
    const { node, env } = await prepareServer()
    const { code } = await run(node, withSettings(`server/commands/${program}`, ...wordsOf(args)), { env })
    return code
  })
