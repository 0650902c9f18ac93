import type { FastifyRequest } from 'fastify'

/** The kind of phone or computer that a session was opened on. */
export type Device = 'iPhone' | 'iPad' | 'Android' | 'Windows' | 'Mac' | 'Linux' | 'other'

/** In this order: Android names Linux, too. An iPad that asks for pages of a computer names itself Macintosh. */
const marks: readonly [RegExp, Device][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

/** The device by its user agent, which nothing keeps. */
export const deviceOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Device =>
  marks.find(([mark]) => mark.test(headers['user-agent'] ?? ''))?.[1] ?? 'other'
