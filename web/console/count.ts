import { formatCount } from '../lib/counts.ts'

/** '1 person', '1,200 people'. */
export const count = (n: number, one: string, many = `${one}s`) => `${formatCount(n)} ${n === 1 ? one : many}`
