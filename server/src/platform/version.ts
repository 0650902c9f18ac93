import { readFileSync } from 'node:fs'

const file = new URL('../../../package.json', import.meta.url)

/** Of the whole product: what CHANGELOG.md calls it. */
export const version: string = JSON.parse(readFileSync(file, 'utf8')).version
