import { type CentrifugoRig, startCentrifugo } from '../../rig/centrifugo.ts'
import { runTrial } from './trial.ts'

let rig: CentrifugoRig | undefined

/** `npm run test:centrifugo -- cluster`: the same two nodes with Centrifugo, while it, Redis and the leader are killed. */
await runTrial({
  mayMiss: true,
  async beside(folder, settings) {
    rig = await startCentrifugo(folder, settings)
    return rig
  },
  async injectFaults({ cluster: { nodes }, phase }) {
    const { centrifugo, redis, flush } = rig as CentrifugoRig
    await phase('all well', async () => {})
    await phase('Centrifugo killed', centrifugo.kill)
    await phase('Centrifugo back', () => centrifugo.start())
    if (redis) {
      await phase('Redis killed', redis.kill)
      await phase('Redis back', () => redis.start())
      await phase('Redis emptied', flush)
    }
    // one of them leads
    for (const [at, node] of nodes.entries()) {
      await phase(`node ${at + 1} killed`, node.kill)
      await phase(`node ${at + 1} back`, () => node.start())
    }
    await phase('a rolling restart', async () => {
      for (const node of nodes) {
        await node.stop()
        await node.start()
      }
    })
  },
})
