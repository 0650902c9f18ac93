import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { ExportMessage, ExportTask } from './export-task.ts'

const tooLarge = 'Too large for this server: use the bundle.'
const mostSeconds = 120
/** Of the whole process: what makes PDFs takes memory beside that of JavaScript. */
const mostBytes = 1.5 * 2 ** 30
const pageBytes = 4_096

/** What came of it. `refused`: why no file was made, for people. Without: it may be tried again. `waits`: once all is sealed. */
export type Outcome = { isDone: true } | { isDone: false; refused: string | null; waits?: true }

/** Makes the file in a process apart, which ends after 120 s, when its memory runs out, or on abort. */
export async function makeInProcess(
  task: ExportTask,
  onProgress: (progress: number) => void,
  stopping: AbortSignal,
  seconds = mostSeconds,
): Promise<Outcome> {
  if (stopping.aborted) return { isDone: false, refused: null }
  const child = fork(new URL('./export-child.ts', import.meta.url), {
    execArgv: ['--max-old-space-size=768'],
    // no setting of the server is needed there, and none of its secrets
    env: { PATH: process.env.PATH, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let outcome: Outcome | undefined
  const end = (with_: Outcome) => {
    outcome ??= with_
    child.kill('SIGKILL')
  }
  const isTooLarge = () => end({ isDone: false, refused: tooLarge })
  const timer = setTimeout(isTooLarge, seconds * 1000)
  const watch = setInterval(() => void memoryOf(child).then((bytes) => bytes > mostBytes && isTooLarge()), 500)
  const onAbort = () => end({ isDone: false, refused: null })
  stopping.addEventListener('abort', onAbort)
  child.on('message', (message: ExportMessage) => {
    if ('progress' in message) onProgress(message.progress)
    else if ('done' in message) outcome ??= { isDone: true }
    else outcome ??= { isDone: false, refused: null, ...message }
  })
  child.send(task)
  const [code, signal] = (await once(child, 'exit').finally(() => {
    clearTimeout(timer)
    clearInterval(watch)
    stopping.removeEventListener('abort', onAbort)
  })) as [number | null, NodeJS.Signals | null]
  // out of memory: Node aborts (134), the system kills
  const isOut = signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134
  return outcome ?? { isDone: false, refused: isOut ? tooLarge : null }
}

/** 0 where the system does not tell. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const told = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(told.split(' ')[1] ?? 0) * pageBytes
}
