import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '../lib/install.mjs'
import { at, main, run, Trouble } from '../lib/run.mjs'

const usage = 'Name the release: npm run test:upgrade -- COMMIT [FOLDER for what tests keep of it]'

/** Plays a drill with an earlier release, starts this one on its database, and checks the records of both. */
await main(async ([release, ...words]) => {
  if (!release) throw new Trouble(usage)
  const runtime = await prepare()
  const parent = mkdtempSync(join(tmpdir(), 'evac-release-'))
  const folder = join(parent, 'release')
  try {
    await must('git', ['worktree', 'add', '--quiet', '--detach', folder, release])
    const locks = [folder, at('.')].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'))
    if (locks[0] === locks[1]) symlinkSync(at('node_modules'), join(folder, 'node_modules'))
    else await must('npm', ['ci', '--prefix', folder])
    const { code } = await run(runtime.node, ['faults/upgrade.ts', folder, ...words], { env: runtime.env })
    return code
  } finally {
    await run('git', ['worktree', 'remove', '--force', folder])
    rmSync(parent, { recursive: true, force: true })
  }
})

async function must(command, args) {
  const { code } = await run(command, args)
  if (code !== 0) throw new Trouble(`${command} ${args[0]} failed.`)
}
