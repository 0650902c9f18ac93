import { useEffect, useState } from 'react'

/** Milliseconds between two pictures, at least: no one sees more. */
const quickest = 50

/** The step at hand, and its play. It goes from step to step, and ends with the last one. */
export function usePlaying(steps: number, stepSeconds: number) {
  const last = steps - 1
  const [step, setStep] = useState(0)
  const [speed, setSpeed] = useState(5)
  const [isOn, setOn] = useState(false)
  const isPlaying = isOn && step < last
  useEffect(() => {
    if (!isPlaying) return
    const stepMs = (stepSeconds * 1000) / speed
    const each = Math.max(1, Math.round(quickest / stepMs))
    const timer = setInterval(() => setStep((now) => Math.min(last, now + each)), stepMs * each)
    return () => clearInterval(timer)
  }, [isPlaying, speed, stepSeconds, last])
  return {
    step,
    speed,
    setSpeed,
    isPlaying,
    /** Moving by hand stops it. */
    goTo: (to: number) => {
      setOn(false)
      setStep(Math.max(0, Math.min(last, to)))
    },
    /** From the end it begins anew. */
    toggle: () => {
      if (step >= last) setStep(0)
      setOn(!isPlaying)
    },
  }
}
