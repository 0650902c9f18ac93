import { createServer } from 'node:net'

/** A free port below the range of outgoing connections, so that it stays free while a program restarts. */
export const findFreePort = (): Promise<number> => findFreePorts(1)

/** The first of `count` free ports in a row. */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const areFree = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)))
    if (!areFree.includes(false)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer().once('error', () => answer(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)))
  })
}
