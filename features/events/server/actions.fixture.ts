import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import type { TestServer } from '#server/testing/test-server.ts'

type Call = Awaited<ReturnType<TestServer['as']>>

/** The floor that a warden on duty reads, or the given one. */
export async function floorOf(call: Call, floor?: string) {
  const data = await call(getFloorData, { query: floor ? { floor: floor as never } : {} })
  if ('error' in data) throw new Error(data.message)
  return data
}
