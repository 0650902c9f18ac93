import { type Product, ProductNode } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { median, type Row } from '../report/report.ts'
import type { World } from '../seed/seed.ts'
import { measureRate, recordsOf, rounds, seconds } from './record-status.ts'

/**
 * Status records on two nodes, on 32 connections in all and without a balancer. The baseline is one node on the same
 * database, measured in turn. Two nodes need cores: on a machine with two, database and load generator use them
 * already.
 */
export async function benchTwoNodes(product: Product, world: World): Promise<Row[]> {
  const second = new ProductNode({ port: await findFreePort(), settings: product.settings })
  await second.start()
  try {
    const make = recordsOf(world)
    const both = () => Promise.all([product.url, second.url].map((node) => measureRate(node, make, seconds, 16)))
    await measureRate(product.url, make, 2)
    await both()
    const one: number[] = []
    const two: number[] = []
    for (let round = 0; round < rounds; round++) {
      one.push((await measureRate(product.url, make, seconds)).rate)
      two.push((await both()).reduce((sum, { rate }) => sum + rate, 0))
    }
    const ratio = median(two.map((rate, round) => rate / (one[round] as number)))
    return [{ name: 'record-status on two nodes, requests/s', value: median(two), baseline: median(one), ratio }]
  } finally {
    await second.stop()
  }
}
