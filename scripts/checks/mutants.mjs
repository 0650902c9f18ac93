import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../lib/install.mjs'
import { inMemory } from '../lib/memory.mjs'
import { at, main, run, Trouble } from '../lib/run.mjs'
import { onCopy } from './copy.mjs'

/**
 * `npm run test:mutants` breaks what records say in one place after the other, in a copy of the project. The random events that test
 * the count must notice each break within 200 events. It takes half an hour or so. `npm run test:mutants -- 16 20` tries those from
 * number 16 to 20, counted from 0.
 */
await main(async ([first = '0', last = '999']) => {
  const { env, node } = await prepare()
  const list = `import { mutants } from './features/records/server/count/mutants.fixture.ts'
    console.log(JSON.stringify(mutants))`
  const { output } = await run(node, ['--input-type=module', '-e', list], { env, quiet: true })
  const args = ['run', '--project', 'server', 'features/records/server/count/count.test.ts']
  return onCopy(async (copy) => {
    let unnoticed = 0
    for (const [nth, { what, file, from, to }] of JSON.parse(output).entries()) {
      if (nth < Number(first) || nth > Number(last)) continue
      const whole = readFileSync(at(file), 'utf8')
      if (!whole.includes(from)) throw new Trouble(`${file} has no ${from}`)
      writeFileSync(
        join(copy, file),
        whole.replace(from, () => to),
      )
      const { code, output: told } = await run(node, [join(copy, 'node_modules/vitest/vitest.mjs'), ...args], {
        cwd: copy,
        env: { ...env, ...inMemory(), RECORD_EVENTS: '200' },
        quiet: true,
      })
      writeFileSync(join(copy, file), whole)
      const isNoticed = code === 1 && told.includes('Property failed after')
      if (!isNoticed) unnoticed++
      console.log(`${nth} ${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${what}`)
    }
    return unnoticed > 0 ? 1 : 0
  })
})
