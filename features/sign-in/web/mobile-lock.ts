import { useEffect, useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { phoneStorage } from '#web/lib/phone-storage.ts'
import { storageKeys } from '#web/session/stored-auth.ts'

/** The times of the failed requests, kept beside the start of the lock, so that a reload changes neither. */
const attemptsKey = 'attempts'

/** Those within the length of a lock, as the server counts; what is no time, or still to come, is none of them. */
const recentAttempts = () =>
  (phoneStorage.get(attemptsKey) ?? '').split(',').filter((time) => {
    const age = Date.now() - Number(time)
    return age >= 0 && age < limits.mobileLock
  })

/** A request that the server refused. One that succeeded, or got no answer, does not count. */
export function countFailedAttempt() {
  phoneStorage.set(attemptsKey, [...recentAttempts(), Date.now()].join())
}

function lockStart(): number {
  const start = Number(phoneStorage.get(storageKeys.lockStartTime))
  return Number.isFinite(start) && start > 0 ? start : 0
}

/** Milliseconds until the form opens again, null when it is not locked. Locks it once the attempts are used up. */
function lockedFor(): number | null {
  const start = lockStart()
  if (start > 0) return Math.min(limits.mobileLock, start + limits.mobileLock - Date.now())
  if (recentAttempts().length < limits.mobileAttempts) return null
  phoneStorage.set(storageKeys.lockStartTime, String(Date.now()))
  return limits.mobileLock
}

function unlock() {
  phoneStorage.remove(attemptsKey)
  phoneStorage.remove(storageKeys.lockStartTime)
}

/** What is left of a lock when the page opens: one that is over leaves nothing to show. */
function resume(): number | null {
  const left = lockedFor()
  if (left === null || left > 0) return left
  unlock()
  return null
}

/** `left` counts down to 0, and is null while the form is open. `lockIfDue` after each answer has been read. */
export function useMobileLock() {
  const [left, setLeft] = useState(resume)
  const isRunning = left !== null && left > 0

  useEffect(() => {
    if (!isRunning) return
    const tick = () => {
      const now = Math.max(0, lockedFor() ?? 0)
      if (now === 0) unlock()
      setLeft(now)
    }
    // A phone that slept through it shows the truth at once.
    const timer = setInterval(tick, 250)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [isRunning])

  return { left, lockIfDue: () => setLeft(lockedFor()), dismiss: () => setLeft(null) }
}
