import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '../lib/new-key.ts'

export type Extras = { headers: Record<string, string> }

/** Nothing was sent, because the audience is no longer of the size that was shown. */
export const isOtherAudience = (error: unknown) => error instanceof ApiError && error.code === 'audience_changed'

/**
 * A press of Send. What is the same (`what`) keeps its key and its request until it is sent: when only the answer was lost,
 * the next press brings that answer instead of sending twice.
 */
export function useKeyedSend<Sent, Reply>(
  what: (sent: Sent) => string,
  send: (sent: Sent, extras: Extras) => Promise<Reply>,
) {
  const attempt = useRef<{ what: string; key: string; sent: Sent } | null>(null)
  return useMutation({
    mutationFn: (sent: Sent) => {
      if (attempt.current?.what !== what(sent)) attempt.current = { what: what(sent), key: newKey(), sent }
      return send(attempt.current.sent, { headers: { [idempotencyKeyHeader]: attempt.current.key } })
    },
    onError: (error) => {
      if (isOtherAudience(error)) attempt.current = null
    },
    onSuccess: () => {
      attempt.current = null
    },
  })
}
