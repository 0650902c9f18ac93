import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { at, run, Trouble } from '../lib/run.mjs'

/** Does work on a copy of the project, beside its data, so that packages can be linked instead of copied. */
export async function onCopy(work) {
  mkdirSync(at('data'), { recursive: true })
  const copy = mkdtempSync(at('data/copy-'))
  try {
    const { output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      quiet: true,
    })
    for (const file of output.split('\0')) if (file && existsSync(at(file))) cpSync(at(file), join(copy, file))
    for (const folder of ['node_modules', '.runtime']) {
      const { code, output: reason } = await run('cp', ['-al', at(folder), join(copy, folder)], { quiet: true })
      if (code !== 0) throw new Trouble(reason)
    }
    return await work(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
