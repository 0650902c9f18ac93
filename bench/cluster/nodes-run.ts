import type { ProductNode } from '../../rig/product.ts'
import { makeNewerVersion } from './newer-version.ts'
import { runTrial } from './trial.ts'

/** `npm run test:cluster`: two nodes behind haproxy under load, while nodes are killed, restarted and upgraded. */
await runTrial({
  async injectFaults({ cluster: { nodes }, folder, phase }) {
    await phase('all well', async () => {})
    for (const [at, node] of nodes.entries()) {
      await phase(`node ${at + 1} killed`, node.kill)
      await phase(`node ${at + 1} back`, () => node.start())
    }
    for (const round of ['first', 'second'])
      await phase(`${round} rolling restart`, async () => {
        for (const node of nodes) {
          await node.stop()
          await node.start()
        }
      })
    const newerVersion = makeNewerVersion(folder)
    const renew = async (node: ProductNode) => {
      await node.stop()
      node.args = [newerVersion]
      await node.start()
    }
    const [first, second] = nodes
    await phase('a newer version on node 1 migrates', () => renew(first))
    await phase('node 2 killed, back in its older version', async () => {
      await second.kill()
      await second.start()
    })
    await phase('the newer version on node 2', () => renew(second))
  },
})
