import { createHash, randomBytes } from 'node:crypto'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { importOrganisation, password, type TestOrganisation } from '../../rig/organisation.ts'
import { Product, ProductNode } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { post } from './steps.ts'

export interface Cell {
  product: Product
  organisation: TestOrganisation
}

/** Two installations as `npm start` runs them, and the directory as `npm run directory` does. */
export interface TwoCells {
  one: Cell
  two: Cell
  directory: ProductNode
  stop(): Promise<void>
}

export async function startTwoCells(): Promise<TwoCells> {
  const newKey = () => randomBytes(33).toString('base64url')
  const [directoryPort, onePort, twoPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const [oneKey, twoKey, nameKey] = [newKey(), newKey(), newKey()]
  const urlOf = (port: number) => `http://127.0.0.1:${port}`
  const lineOf = (port: number, key: string) => `${urlOf(port)} ${createHash('sha256').update(key).digest('hex')}`
  const directory = new ProductNode({
    port: directoryPort,
    settings: {
      ROLES: 'directory',
      HOST: '127.0.0.1',
      DIRECTORY_CELLS: [lineOf(onePort, oneKey), lineOf(twoPort, twoKey)].join(';'),
    },
  })
  await directory.start()
  const startCell = async (port: number, key: string): Promise<Cell> => {
    const product = await Product.start(
      { TRUST_PROXY: '1', DIRECTORY_URL: urlOf(directoryPort), DIRECTORY_KEY: key, DIRECTORY_NAME_KEY: nameKey },
      port,
    )
    return { product, organisation: await importOrganisation(product) }
  }
  const one = await startCell(onePort, oneKey)
  const two = await startCell(twoPort, twoKey)
  const stop = async () => {
    for (const { product } of [one, two]) await product.stop()
    await directory.stop()
  }
  return { one, two, directory, stop }
}

export const signIn = ({ product }: Pick<Cell, 'product'>, email: string, typed = password) =>
  post(product.url, login.path, { email, password: typed })
