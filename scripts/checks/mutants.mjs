import { prepare } from '../lib/install.mjs'
import { inMemory } from '../lib/memory.mjs'
import { at, main, run } from '../lib/run.mjs'

/**
 * `npm run test:mutants` breaks what records say in one place after the other. The random events that test the count must notice each
 * break within 200 events. It takes half an hour or so. `npm run test:mutants -- 16 20` tries those from number 16 to 20, counted from 0.
 */
await main(async ([first = '0', last = '999']) => {
  const { env, node } = await prepare()
  const args = [at('node_modules/vitest/vitest.mjs'), 'run', '--project', 'server']
  const list = `import { mutants } from './features/records/server/count/mutants.fixture.ts'
    console.log(JSON.stringify(mutants.map(({ what }) => what)))`
  const { output } = await run(node, ['--input-type=module', '-e', list], { env, quiet: true })
  let unnoticed = 0
  for (const [nth, what] of JSON.parse(output).entries()) {
    if (nth < Number(first) || nth > Number(last)) continue
    const { code, output: told } = await run(node, [...args, 'features/records/server/count/count.test.ts'], {
      env: { ...env, ...inMemory(), RECORD_MUTANT: String(nth), RECORD_EVENTS: '200' },
      quiet: true,
    })
    const isNoticed = code === 1 && told.includes('Property failed after')
    if (!isNoticed) unnoticed++
    console.log(`${nth} ${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${what}`)
  }
  return unnoticed > 0 ? 1 : 0
})
