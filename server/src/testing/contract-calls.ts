import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallContract } from '@evac/contract/route.ts'

export interface NamedCall extends CallContract {
  name: string
}

/** Every call of every file of the contract, also of those written after this one. */
export async function contractCalls(): Promise<NamedCall[]> {
  const folder = dirname(createRequire(import.meta.url).resolve('@evac/contract/calls/calls.ts'))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('.test.'),
  )
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(`${folder}/${file}`).href) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isCall(value) ? [{ ...value, name }] : [])),
  )
}

function isCall(value: unknown): value is CallContract {
  return typeof value === 'object' && value !== null && 'path' in value && 'policy' in value && 'reply' in value
}
