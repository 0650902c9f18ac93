import { hashKey, type QueryKey } from '@tanstack/react-query'

/** Lists whose rows keep their place: what is read again does not move under the thumb. */
const kept = new Set<string>()

export const keepOrder = (queryKey: QueryKey) => void kept.add(hashKey(queryKey))
/** The next read brings the order of the server. */
export const releaseOrder = (queryKey: QueryKey) => void kept.delete(hashKey(queryKey))
export const isOrderKept = (queryKey: QueryKey) => kept.has(hashKey(queryKey))
