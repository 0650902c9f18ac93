import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallContract } from '#kernel/route.ts'

export interface NamedCall extends CallContract {
  name: string
}

/** Every call of every file of the contract, also of those written after this one. */
export async function contractCalls(): Promise<NamedCall[]> {
  const folder = resolve(import.meta.dirname, '../../features')
  const files = globSync(['*/calls.ts', '*/calls/*.ts'], { cwd: folder }).filter((file) => !file.includes('.test.'))
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isCall(value) ? [{ ...value, name }] : [])),
  )
}

function isCall(value: unknown): value is CallContract {
  return typeof value === 'object' && value !== null && 'path' in value && 'policy' in value && 'reply' in value
}
