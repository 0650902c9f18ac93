import { randomInt } from 'node:crypto'
import { prepare } from './lib/install.mjs'
import { inMemory } from './lib/memory.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

/**
 * `npm run test:fuzz` sends 100,000 malformed requests under a new seed, reads back what they stored, and tries cells and replies that are
 * hard to read. It also plays 3,000 random events, whose records are counted by a second model. `npm run test:fuzz -- 5000 42` sends
 * 5,000 under seed 42, and plays 150. The same seed sends the same requests and plays the same events.
 */
await main(async ([count = '100000', seed = String(randomInt(1, 2 ** 31))]) => {
  if (![count, seed].every((word) => /^[1-9]\d{0,9}$/.test(word)))
    throw new Trouble('Use whole numbers: how many requests, and the seed.')
  const { env, node } = await prepare()
  console.log(`${count} requests under seed ${seed}`)
  const events = String(Math.ceil(count * 0.03))
  const files = ['bad-input', 'hard-cells', 'hard-replies'].map((name) => `server/security/bad-input/${name}.test.ts`)
  files.push(...['count', 'invariants'].map((name) => `features/records/server/count/${name}.test.ts`))
  const args = [at('node_modules/vitest/vitest.mjs'), 'run', '--project', 'server', ...files]
  const { code } = await run(node, args, {
    env: { ...env, ...inMemory(), FUZZ_REQUESTS: count, FUZZ_SEED: seed, RECORD_EVENTS: events, RECORD_SEED: seed },
  })
  return code
})
