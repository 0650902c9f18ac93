import { type Product, ProductNode } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { median, type Row } from '../report/report.ts'
import type { World } from '../seed/seed.ts'
import { recordsOf, rounds, seconds, shoot } from './record-status.ts'

/**
 * Status records on two nodes against one, on the same database, in turn, 32 connections in all and no balancer. Two
 * nodes help where there are cores for them: on two cores, which database and load generator want as well, there are none.
 */
export async function benchTwoNodes(product: Product, world: World): Promise<Row[]> {
  const second = new ProductNode({ port: await findFreePort(), settings: product.settings })
  await second.start()
  try {
    const make = recordsOf(world)
    const both = () => Promise.all([product.url, second.url].map((node) => shoot(node, make, seconds, 16)))
    await shoot(product.url, make, 2)
    await both()
    const one: number[] = []
    const two: number[] = []
    for (let round = 0; round < rounds; round++) {
      one.push((await shoot(product.url, make, seconds)).rate)
      two.push((await both()).reduce((sum, { rate }) => sum + rate, 0))
    }
    const ratio = median(two.map((rate, round) => rate / (one[round] as number)))
    return [{ name: 'record-status on two nodes, requests/s', value: median(two), bare: median(one), ratio }]
  } finally {
    await second.stop()
  }
}
